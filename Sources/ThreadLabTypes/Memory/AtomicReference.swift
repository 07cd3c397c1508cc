import Execution
import Primitives
import Synchronization

extension Lab {
    public typealias AtomicOptionalWrappable = Synchronization.AtomicOptionalRepresentable

    /// swift-atomics' `AtomicReference`: a class whose references atomics can hold, compared by identity.
    ///
    /// The atomic holds a number that the run gives to the object. Unlike the object's address, it is the same in each
    /// repetition of an execution. The object lives until the run ends.
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

    /// The number 0 represents nil.
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
/// They stay alive until the run ends, because a thread may have read the number of an object that another thread then
/// replaces.
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

    /// The number of the object, at least 1, given at its first use.
    func number(of object: AnyObject) -> Int {
        references.withLock { references in
            if let known = references.numbers[ObjectIdentifier(object)] { return known }
            references.objects.append(object)
            references.numbers[ObjectIdentifier(object)] = references.objects.count
            return references.objects.count
        }
    }

    /// Whether the number was given to an object, and the run has ended since.
    func hasForgotten(_ number: Int) -> Bool { number != 0 && object(number) == nil }

    /// The object with this number. Nil: there is none.
    func object(_ number: Int) -> AnyObject? {
        references.withLock { $0.objects.indices.contains(number - 1) ? $0.objects[number - 1] : nil }
    }
}
