// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

import CLab
import Execution
import Primitives
import Synchronization
@_exported import ThreadLabTypes

/// The objects of a run that are behind values of `pthread_mutex_t` and similar types, by the token that such a value
/// holds.
///
/// In POSIX such a value may be nothing but zeros at first, and may live as long as the process. So it holds only a
/// token, and each run makes the object when the value is first used in it: a global lock is free at the beginning of
/// each execution, whatever state the previous one left.
final class PthreadObjects: RunBound {
    private let objects = Guarded<[Int: any AnyObject & Sendable]>([:])

    /// The objects of the caller's run.
    static var current: PthreadObjects {
        ThreadContext.runtime.with { $0.knownSlots }.shared { PthreadObjects() }
    }

    func runHasEnded() {
        // The objects are released outside of the lock, because a `deinit` may use this table.
        let left = objects.withLock { objects in
            defer { objects = [:] }
            return objects
        }
        withExtendedLifetime(left) {}
    }

    /// The object of the token, made at the first use. All types draw their tokens from one sequence, so a token
    /// belongs to one type.
    func object<Object: AnyObject & Sendable>(_ token: Int, _ make: () throws -> Object) rethrows -> Object {
        if let present = objects.withLock({ $0[token] }) { return unsafeDowncast(present, to: Object.self) }
        let new = try make()
        return objects.withLock { objects in
            // On real threads another thread may have made it meanwhile.
            if let present = objects[token] { return unsafeDowncast(present, to: Object.self) }
            objects[token] = new
            return new
        }
    }

    /// The object of the token. Nil: the run has not made it.
    func present<Object: AnyObject & Sendable>(_ token: Int, as type: Object.Type = Object.self) -> Object? {
        objects.withLock { $0[token] }.map { unsafeDowncast($0, to: Object.self) }
    }

    func set(_ token: Int, _ object: any AnyObject & Sendable) { objects.withLock { $0[token] = object } }

    /// Releases the object of a value that is being destroyed. If the object is in use, that is a finding. This is not
    /// a step: mostly a `deinit` does it, and which thread runs a `deinit` depends on reference counts, which are not
    /// steps either.
    func remove(_ token: Int) { _ = objects.withLock { $0.removeValue(forKey: token) } }
}

/// The token that a value of a POSIX type holds. Its number is zero until the value is first used.
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
    /// The number of the value's token. An unused value gets one here, and any thread may be the first to use it.
    ///
    /// Swift treats the argument `&lock` of the caller as an access to the variable for as long as the call lasts.
    /// During the call the thread may wait for another one that passes the same variable, so the access is marked as
    /// shared.
    var number: Int {
        clab_share_access(self)
        // `Atomic<Int>` has the layout of `Int`.
        let word = UnsafeMutableRawPointer(self).assumingMemoryBound(to: Synchronization.Atomic<Int>.self)
        let present = word.pointee.load(ordering: .relaxed)
        if present != 0 { return present }
        let new = Token.next().number
        let (isFirst, original) = word.pointee.compareExchange(expected: 0, desired: new, ordering: .relaxed)
        return isFirst ? new : original
    }
}
