// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

import CLab
import Execution
import Primitives
import Synchronization
@_exported import ThreadLabTypes

/// The objects that are behind the values of type `pthread_mutex_t` and its neighbors in a run, by their tokens.
///
/// POSIX allows such a value to have no initializer but zero, and to live as long as the process. So the value holds a
/// token only, and each run makes the object when it is first used: a global lock is free at the beginning of each
/// execution, whatever the one before left.
final class PthreadObjects: RunBound {
    private let objects = Guarded<[Int: any AnyObject & Sendable]>([:])

    /// Those of the caller's run.
    static var current: PthreadObjects {
        ThreadContext.runtime.with { $0.knownSlots }.shared { PthreadObjects() }
    }

    func runHasEnded() {
        let left = objects.withLock { objects in
            defer { objects = [:] }
            return objects
        }
        withExtendedLifetime(left) {}
    }

    /// The object of this token, made when first needed. Tokens of different types are different.
    func object<Object: AnyObject & Sendable>(_ token: Int, _ make: () throws -> Object) rethrows -> Object {
        if let present = objects.withLock({ $0[token] }) { return unsafeDowncast(present, to: Object.self) }
        let new = try make()
        return objects.withLock { objects in
            // On real threads another one may have been faster.
            if let present = objects[token] { return unsafeDowncast(present, to: Object.self) }
            objects[token] = new
            return new
        }
    }

    func present<Object: AnyObject & Sendable>(_ token: Int, as type: Object.Type = Object.self) -> Object? {
        objects.withLock { $0[token] }.map { unsafeDowncast($0, to: Object.self) }
    }

    func set(_ token: Int, _ object: any AnyObject & Sendable) { objects.withLock { $0[token] = object } }

    /// Releases the object of a value that is destroyed: a finding, if it is in use. Not a step, because a `deinit`
    /// mostly does it: on which thread one runs depends on counts of references, which are not steps either.
    func remove(_ token: Int) { _ = objects.withLock { $0.removeValue(forKey: token) } }
}

/// What a value of a POSIX type holds. Zero, which is how such a value begins: it has not been used.
struct Token: Hashable, Sendable, BitwiseCopyable {
    private(set) var number = 0

    private static let last = Synchronization.Atomic(0)

    static func next() -> Token { Token(number: last.add(1, ordering: .relaxed).newValue) }

    init() {}
    private init(number: Int) { self.number = number }
}

/// A type whose first word is a token.
protocol Tokened: BitwiseCopyable {
    var token: Token { get set }
}

extension UnsafeMutablePointer where Pointee: Tokened {
    /// The number of the value's token. A value without one gets one: any thread may be the first.
    ///
    /// The caller has mostly written `&lock`, which is an access to the variable that lasts as long as the call; and in
    /// the call the thread may wait for another one that calls a function with the same variable.
    var number: Int {
        clab_share_access(self)
        // An atomic has the layout of its value.
        let word = UnsafeMutableRawPointer(self).assumingMemoryBound(to: Synchronization.Atomic<Int>.self)
        let present = word.pointee.load(ordering: .relaxed)
        if present != 0 { return present }
        let new = Token.next().number
        let (isFirst, original) = word.pointee.compareExchange(expected: 0, desired: new, ordering: .relaxed)
        return isFirst ? new : original
    }
}
