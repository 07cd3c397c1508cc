// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

// POSIX's mutexes, built on `Mutex`. Functions on mutexes return the codes for ordinary results: 0, `EBUSY`,
// `ETIMEDOUT` and `EOWNERDEAD`. A forbidden call is reported as a finding, as for every other lock of the lab, and
// never returns `EPERM` or `EDEADLK`: `must` ends its thread.

import Glibc
import Primitives

extension Lab {
    public struct pthread_mutex_t: Tokened, Sendable {
        var token = Token()
        fileprivate var kind = Kind.normal

        public init() {}

        fileprivate enum Kind: Int32, BitwiseCopyable {
            case normal, errorChecking, recursive, robust

            /// The same kind of threadlab's own mutex.
            var primitive: Primitives.Mutex.Kind {
                switch self {
                case .normal: .normal
                case .errorChecking: .errorChecking
                case .recursive: .recursive
                case .robust: .robust
                }
            }
        }
    }

    public struct pthread_mutexattr_t: Sendable {
        fileprivate var type = Int32(PTHREAD_MUTEX_DEFAULT)
        fileprivate var isRobust = false

        public init() {}

        fileprivate var kind: pthread_mutex_t.Kind {
            // A robust mutex has no other type: it is neither recursive nor error-checking.
            if isRobust { return .robust }
            switch Int(type) {
            case PTHREAD_MUTEX_ERRORCHECK: return .errorChecking
            case PTHREAD_MUTEX_RECURSIVE: return .recursive
            default: return .normal
            }
        }
    }
}

extension UnsafeMutablePointer<Lab.pthread_mutex_t> {
    /// The run's mutex behind this value, made at the first use.
    func object(_ file: StaticString, _ line: UInt) -> Mutex {
        let kind = pointee.kind
        return PthreadObjects.current.object(number) { Mutex(nil, kind.primitive, file: file, line: line) }
    }
}

@discardableResult
public func pthread_mutex_init(
    _ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>, _ attributes: UnsafePointer<Lab.pthread_mutexattr_t>?,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    var new = Lab.pthread_mutex_t()
    new.token = .next()
    if let attributes { new.kind = attributes.pointee.kind }
    mutex.initialize(to: new)
    _ = mutex.object(file, line)
    return 0
}

@discardableResult
public func pthread_mutex_destroy(
    _ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>
) -> Int32 {
    PthreadObjects.current.remove(mutex.number)
    return 0
}

@discardableResult
public func pthread_mutex_lock(
    _ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = mutex.object(file, line)
    must { try object.lock(file: file, line: line) }
    return object.ownerDied ? EOWNERDEAD : 0
}

@discardableResult
public func pthread_mutex_trylock(
    _ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = mutex.object(file, line)
    guard must(orElse: true, { try object.tryLock(file: file, line: line) }) else { return EBUSY }
    return object.ownerDied ? EOWNERDEAD : 0
}

@discardableResult
public func pthread_mutex_timedlock(
    _ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>, _ deadline: UnsafePointer<Lab.timespec>,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = mutex.object(file, line)
    let limit = deadline.pointee.instant(on: CLOCK_REALTIME)
    guard must(orElse: true, { try object.lock(until: limit, file: file, line: line) }) else { return ETIMEDOUT }
    return object.ownerDied ? EOWNERDEAD : 0
}

@discardableResult
public func pthread_mutex_unlock(
    _ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = mutex.object(file, line)
    must { try object.unlock(file: file, line: line) }
    return 0
}

@discardableResult
public func pthread_mutex_consistent(
    _ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let object = mutex.object(file, line)
    object.makeConsistent()
    return 0
}

// MARK: - Attributes

@discardableResult
public func pthread_mutexattr_init(_ attributes: UnsafeMutablePointer<Lab.pthread_mutexattr_t>) -> Int32 {
    attributes.initialize(to: Lab.pthread_mutexattr_t())
    return 0
}

@discardableResult
public func pthread_mutexattr_destroy(_ attributes: UnsafeMutablePointer<Lab.pthread_mutexattr_t>) -> Int32 { 0 }

@discardableResult
public func pthread_mutexattr_settype(
    _ attributes: UnsafeMutablePointer<Lab.pthread_mutexattr_t>, _ type: Int32
) -> Int32 {
    let known = [PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_DEFAULT]
    guard known.contains(Int(type)) else { return EINVAL }
    attributes.pointee.type = type
    return 0
}

@discardableResult
public func pthread_mutexattr_gettype(
    _ attributes: UnsafePointer<Lab.pthread_mutexattr_t>, _ type: UnsafeMutablePointer<Int32>
) -> Int32 {
    type.pointee = attributes.pointee.type
    return 0
}

@discardableResult
public func pthread_mutexattr_setrobust(
    _ attributes: UnsafeMutablePointer<Lab.pthread_mutexattr_t>, _ robustness: Int32
) -> Int32 {
    guard [PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST].contains(Int(robustness)) else { return EINVAL }
    attributes.pointee.isRobust = Int(robustness) == PTHREAD_MUTEX_ROBUST
    return 0
}
