import Execution
import Primitives
import Synchronization

extension Lab {
    public typealias AtomicOptionalWrappable = Synchronization.AtomicOptionalRepresentable

    /// swift-atomics' `AtomicReference`: a class whose references atomics can hold, compared by identity.
    ///
    /// The atomic holds the number of an object, which unlike its address is the same in each repetition of an
    /// execution. The object lives until the run ends.
    public protocol AtomicReference: AnyObject, AtomicOptionalRepresentable
    where AtomicRepresentation == Int.AtomicRepresentation, AtomicOptionalRepresentation == Int.AtomicRepresentation {}
}

extension Lab.AtomicReference {
    public static func encodeAtomicRepresentation(_ value: consuming Self) -> Int.AtomicRepresentation {
        Int.encodeAtomicRepresentation(ReferencesOfRun.current.number(of: value))
    }

    public static func decodeAtomicRepresentation(_ representation: consuming Int.AtomicRepresentation) -> Self {
        let number = Int.decodeAtomicRepresentation(representation)
        guard let object = ReferencesOfRun.current.object(number) else {
            preconditionFailure("an atomic holds the number of an object of another run")
        }
        return unsafeDowncast(object, to: Self.self)
    }

    /// 0 stands for nil.
    public static func encodeAtomicOptionalRepresentation(_ value: consuming Self?) -> Int.AtomicRepresentation {
        Int.encodeAtomicRepresentation(value.map { ReferencesOfRun.current.number(of: $0) } ?? 0)
    }

    public static func decodeAtomicOptionalRepresentation(
        _ representation: consuming Int.AtomicRepresentation
    ) -> Self? {
        ReferencesOfRun.current.object(Int.decodeAtomicRepresentation(representation)).map {
            unsafeDowncast($0, to: Self.self)
        }
    }
}

/// The objects that atomics of a run have held, numbered in the order of their first use.
///
/// They stay alive, because a thread may have read the number of an object that another thread then replaces.
final class ReferencesOfRun: RunBound {
    private struct References {
        var numbers: [ObjectIdentifier: Int] = [:]
        var objects: [AnyObject] = []
    }

    private let references = Guarded(References())

    /// The references of the caller's run.
    static var current: ReferencesOfRun {
        ThreadContext.runtime.with { $0.knownSlots }.shared { ReferencesOfRun() }
    }

    func runHasEnded() {
        let left = references.withLock { references in
            defer { references = References() }
            return references
        }
        // Deinitializers of the released objects may use atomics again.
        withExtendedLifetime(left) {}
    }

    func number(of object: AnyObject) -> Int {
        references.withLock { references in
            if let known = references.numbers[ObjectIdentifier(object)] { return known }
            references.objects.append(object)
            references.numbers[ObjectIdentifier(object)] = references.objects.count
            return references.objects.count
        }
    }

    /// Whether the run has ended on another thread since the number was read.
    func hasForgotten(_ number: Int) -> Bool { number != 0 && object(number) == nil }

    /// The object with this number. Nil: there is none.
    func object(_ number: Int) -> AnyObject? {
        references.withLock { $0.objects.indices.contains(number - 1) ? $0.objects[number - 1] : nil }
    }
}
