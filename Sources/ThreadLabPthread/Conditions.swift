// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

// POSIX's condition variables, built on `Condition`. Functions on conditions return 0 or `ETIMEDOUT`. A forbidden call
// is reported as a finding, as for every other object of the lab, and never returns another code: `must` ends its
// thread.

import Glibc
import Primitives

extension Lab {
    public struct pthread_cond_t: Tokened, Sendable {
        var token = Token()
        fileprivate var clock = CLOCK_REALTIME

        public init() {}
    }

    public struct pthread_condattr_t: Sendable {
        fileprivate var clock = CLOCK_REALTIME

        public init() {}
    }
}

extension UnsafeMutablePointer<Lab.pthread_cond_t> {
    /// The run's condition behind this value, made at the first use.
    fileprivate func object(_ file: StaticString, _ line: UInt) -> Condition {
        PthreadObjects.current.object(number) { Condition(file: file, line: line) }
    }
}

@discardableResult
public func pthread_cond_init(
    _ condition: UnsafeMutablePointer<Lab.pthread_cond_t>, _ attributes: UnsafePointer<Lab.pthread_condattr_t>?,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    var new = Lab.pthread_cond_t()
    new.token = .next()
    if let attributes { new.clock = attributes.pointee.clock }
    condition.initialize(to: new)
    _ = condition.object(file, line)
    return 0
}

@discardableResult
public func pthread_cond_destroy(
    _ condition: UnsafeMutablePointer<Lab.pthread_cond_t>
) -> Int32 {
    PthreadObjects.current.remove(condition.number)
    return 0
}

@discardableResult
public func pthread_cond_wait(
    _ condition: UnsafeMutablePointer<Lab.pthread_cond_t>, _ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let (object, held) = (condition.object(file, line), mutex.object(file, line))
    must { try object.wait(with: held, file: file, line: line) }
    return 0
}

/// - Returns: `ETIMEDOUT` if the deadline passed before a signal, otherwise 0.
@discardableResult
public func pthread_cond_timedwait(
    _ condition: UnsafeMutablePointer<Lab.pthread_cond_t>, _ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>,
    _ deadline: UnsafePointer<Lab.timespec>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let (object, held) = (condition.object(file, line), mutex.object(file, line))
    let limit = deadline.pointee.instant(on: condition.pointee.clock)
    let isSignaled = must(orElse: false) { try object.wait(with: held, until: limit, file: file, line: line) }
    return isSignaled ? 0 : ETIMEDOUT
}

@discardableResult
public func pthread_cond_signal(
    _ condition: UnsafeMutablePointer<Lab.pthread_cond_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = condition.object(file, line)
    must { try object.signal(file: file, line: line) }
    return 0
}

@discardableResult
public func pthread_cond_broadcast(
    _ condition: UnsafeMutablePointer<Lab.pthread_cond_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = condition.object(file, line)
    must { try object.broadcast(file: file, line: line) }
    return 0
}

// MARK: - Attributes

@discardableResult
public func pthread_condattr_init(_ attributes: UnsafeMutablePointer<Lab.pthread_condattr_t>) -> Int32 {
    attributes.initialize(to: Lab.pthread_condattr_t())
    return 0
}

@discardableResult
public func pthread_condattr_destroy(_ attributes: UnsafeMutablePointer<Lab.pthread_condattr_t>) -> Int32 { 0 }

/// - Parameter clock: the clock of the deadlines, `CLOCK_REALTIME` or `CLOCK_MONOTONIC`.
@discardableResult
public func pthread_condattr_setclock(
    _ attributes: UnsafeMutablePointer<Lab.pthread_condattr_t>, _ clock: clockid_t
) -> Int32 {
    guard [CLOCK_REALTIME, CLOCK_MONOTONIC].contains(clock) else { return EINVAL }
    attributes.pointee.clock = clock
    return 0
}
