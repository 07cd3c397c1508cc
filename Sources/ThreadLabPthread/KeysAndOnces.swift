// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

// POSIX's thread-specific data, built on `ThreadSlot`, and `pthread_once`, built on `Once`.

import Execution
import Glibc
import Primitives

// MARK: - Keys

extension Lab {
    /// A key of thread-specific data. It lives as long as the process; the values under it, as long as the run.
    public struct pthread_key_t: Tokened, Hashable, Sendable, ExpressibleByIntegerLiteral {
        var token = Token()

        public init() {}
        /// A key that has not been created yet, whatever the number.
        public init(integerLiteral number: UInt32) {}
    }
}

/// The destructors of the keys, if they have one. They outlive runs, as keys do.
private let destructors = Guarded<[Token: Destructor]>([:])

private struct Destructor: @unchecked Sendable {
    let function: @convention(c) (UnsafeMutableRawPointer?) -> Void
}

/// A thread's value under a key, as an object, because a `ThreadSlot` holds objects.
private final class Value: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }
}

@discardableResult
public func pthread_key_create(
    _ key: UnsafeMutablePointer<Lab.pthread_key_t>,
    _ destructor: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> Int32 {
    key.initialize(to: Lab.pthread_key_t())
    key.pointee.token = .next()
    if let destructor {
        let entry = Destructor(function: destructor)
        destructors.withLock { $0[key.pointee.token] = entry }
    }
    return 0
}

@discardableResult
public func pthread_key_delete(_ key: Lab.pthread_key_t) -> Int32 {
    destructors.withLock { _ = $0.removeValue(forKey: key.token) }
    PthreadObjects.current.present(key.token.number, as: ThreadSlot<Value>.self)?.delete()
    PthreadObjects.current.remove(key.token.number)
    return 0
}

@discardableResult
public func pthread_setspecific(
    _ key: Lab.pthread_key_t, _ value: UnsafeRawPointer?, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let slot = PthreadObjects.current.object(key.token.number) {
        let destructor = destructors.withLock { $0[key.token] }
        return mustMake {
            guard let destructor else { return try ThreadSlot<Value>(file: file, line: line) }
            return try ThreadSlot<Value>(file: file, line: line) { destructor.function($0.pointer) }
        }
    }
    slot.set(value.map { Value(UnsafeMutableRawPointer(mutating: $0)) }, file: file, line: line)
    return 0
}

public func pthread_getspecific(_ key: Lab.pthread_key_t) -> UnsafeMutableRawPointer? {
    PthreadObjects.current.present(key.token.number, as: ThreadSlot<Value>.self)?.value?.pointer
}

// MARK: - Onces

extension Lab {
    /// Runs its routine once in each run, because what the routine made in one run is invalid in the next.
    public struct pthread_once_t: Tokened, Sendable, ExpressibleByIntegerLiteral {
        var token = Token()

        public init() {}
        /// - Parameter number: 0, as `PTHREAD_ONCE_INIT` is.
        public init(integerLiteral number: Int32) {}
    }
}

public var PTHREAD_ONCE_INIT: Lab.pthread_once_t { Lab.pthread_once_t() }

@discardableResult
public func pthread_once(
    _ once: UnsafeMutablePointer<Lab.pthread_once_t>, _ routine: @convention(c) () -> Void,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = PthreadObjects.current.object(once.number) { Once(file: file, line: line) }
    must { try object.run(file: file, line: line) { routine() } }
    return 0
}
