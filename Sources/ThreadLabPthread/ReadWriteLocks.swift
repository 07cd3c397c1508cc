// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

// POSIX's read-write locks, built on `ReadWriteLock`. Functions on locks return 0, `EBUSY` or `ETIMEDOUT`. A forbidden
// call is reported as a finding, as for every other lock of the lab, and never returns `EDEADLK`: `must` ends its
// thread.

import Glibc
import Primitives

extension Lab {
    public struct pthread_rwlock_t: Tokened, Sendable {
        var token = Token()
        fileprivate var prefersWriters = false

        public init() {}
    }

    public struct pthread_rwlockattr_t: Sendable {
        fileprivate var prefersWriters = false

        public init() {}
    }
}

extension UnsafeMutablePointer<Lab.pthread_rwlock_t> {
    /// The run's lock behind this value, made at the first use.
    fileprivate func object(_ file: StaticString, _ line: UInt) -> ReadWriteLock {
        let preference: ReadWriteLock.Preference = pointee.prefersWriters ? .writers : .readers
        return PthreadObjects.current.object(number) { ReadWriteLock(prefer: preference, file: file, line: line) }
    }
}

@discardableResult
public func pthread_rwlock_init(
    _ lock: UnsafeMutablePointer<Lab.pthread_rwlock_t>, _ attributes: UnsafePointer<Lab.pthread_rwlockattr_t>?,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    var new = Lab.pthread_rwlock_t()
    new.token = .next()
    if let attributes { new.prefersWriters = attributes.pointee.prefersWriters }
    lock.initialize(to: new)
    _ = lock.object(file, line)
    return 0
}

@discardableResult
public func pthread_rwlock_destroy(
    _ lock: UnsafeMutablePointer<Lab.pthread_rwlock_t>
) -> Int32 {
    PthreadObjects.current.remove(lock.number)
    return 0
}

@discardableResult
public func pthread_rwlock_rdlock(
    _ lock: UnsafeMutablePointer<Lab.pthread_rwlock_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = lock.object(file, line)
    must { try object.lockToRead(file: file, line: line) }
    return 0
}

@discardableResult
public func pthread_rwlock_wrlock(
    _ lock: UnsafeMutablePointer<Lab.pthread_rwlock_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = lock.object(file, line)
    must { try object.lockToWrite(file: file, line: line) }
    return 0
}

@discardableResult
public func pthread_rwlock_tryrdlock(
    _ lock: UnsafeMutablePointer<Lab.pthread_rwlock_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = lock.object(file, line)
    return must(orElse: true) { try object.tryLockToRead(file: file, line: line) } ? 0 : EBUSY
}

@discardableResult
public func pthread_rwlock_trywrlock(
    _ lock: UnsafeMutablePointer<Lab.pthread_rwlock_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = lock.object(file, line)
    return must(orElse: true) { try object.tryLockToWrite(file: file, line: line) } ? 0 : EBUSY
}

@discardableResult
public func pthread_rwlock_timedrdlock(
    _ lock: UnsafeMutablePointer<Lab.pthread_rwlock_t>, _ deadline: UnsafePointer<Lab.timespec>,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let (object, limit) = (lock.object(file, line), deadline.pointee.instant(on: CLOCK_REALTIME))
    return must(orElse: true) { try object.lockToRead(until: limit, file: file, line: line) } ? 0 : ETIMEDOUT
}

@discardableResult
public func pthread_rwlock_timedwrlock(
    _ lock: UnsafeMutablePointer<Lab.pthread_rwlock_t>, _ deadline: UnsafePointer<Lab.timespec>,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let (object, limit) = (lock.object(file, line), deadline.pointee.instant(on: CLOCK_REALTIME))
    return must(orElse: true) { try object.lockToWrite(until: limit, file: file, line: line) } ? 0 : ETIMEDOUT
}

@discardableResult
public func pthread_rwlock_unlock(
    _ lock: UnsafeMutablePointer<Lab.pthread_rwlock_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = lock.object(file, line)
    must { try object.unlock(file: file, line: line) }
    return 0
}

// MARK: - Attributes

@discardableResult
public func pthread_rwlockattr_init(_ attributes: UnsafeMutablePointer<Lab.pthread_rwlockattr_t>) -> Int32 {
    attributes.initialize(to: Lab.pthread_rwlockattr_t())
    return 0
}

@discardableResult
public func pthread_rwlockattr_destroy(_ attributes: UnsafeMutablePointer<Lab.pthread_rwlockattr_t>) -> Int32 { 0 }

@discardableResult
public func pthread_rwlockattr_setkind_np(
    _ attributes: UnsafeMutablePointer<Lab.pthread_rwlockattr_t>, _ kind: Int32
) -> Int32 {
    let known = [
        PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP,
        PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP,
    ]
    guard known.contains(Int(kind)) else { return EINVAL }
    // In glibc, `PTHREAD_RWLOCK_PREFER_WRITER_NP` prefers readers in spite of its name.
    attributes.pointee.prefersWriters = Int(kind) == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
    return 0
}
