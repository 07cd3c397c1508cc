// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are Apple's.

// The unfair locks of Apple's systems, built on `Mutex`.

import Primitives

extension Lab {
    /// The lock of Apple's systems, which Linux lacks. To lock it twice, or to unlock it on another thread, is a
    /// misuse.
    public struct os_unfair_lock_s: Tokened, Sendable {
        var token = Token()

        public init() {}
    }

    public typealias os_unfair_lock = os_unfair_lock_s
    public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>
}

extension UnsafeMutablePointer<Lab.os_unfair_lock_s> {
    /// The run's lock behind this value, made at the first use.
    fileprivate func object(_ file: StaticString, _ line: UInt) -> Mutex {
        PthreadObjects.current.object(number) { Mutex(nil, .errorChecking, file: file, line: line) }
    }
}

public func os_unfair_lock_lock(
    _ lock: Lab.os_unfair_lock_t, file: StaticString = #fileID, line: UInt = #line
) {
    let object = lock.object(file, line)
    must { try object.lock(file: file, line: line) }
}

public func os_unfair_lock_trylock(
    _ lock: Lab.os_unfair_lock_t, file: StaticString = #fileID, line: UInt = #line
) -> Bool {
    let object = lock.object(file, line)
    return must(orElse: true) { try object.tryLock(file: file, line: line) }
}

public func os_unfair_lock_unlock(
    _ lock: Lab.os_unfair_lock_t, file: StaticString = #fileID, line: UInt = #line
) {
    let object = lock.object(file, line)
    must { try object.unlock(file: file, line: line) }
}
