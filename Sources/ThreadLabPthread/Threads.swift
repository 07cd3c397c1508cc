// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

// POSIX's threads, built on `Thread`.

import Execution
import Glibc
import Primitives

extension Lab {
    /// A thread: its number in the run plus one. 0: no thread.
    public struct pthread_t: Hashable, Sendable {
        fileprivate let number: Int

        public init() { number = 0 }
        fileprivate init(_ number: Int) { self.number = number }
    }

    public struct pthread_attr_t: Sendable {
        fileprivate var isDetached = false
        fileprivate var stackSize: Int?

        public init() {}
    }
}

/// A thread that `pthread_create` has started, and the value that its routine returns.
private final class Started: @unchecked Sendable {
    /// Written by the creator before it passes the thread's number to any other thread.
    var thread: Thread?
    /// Written by the thread, and read by the thread that has joined it.
    var result: UnsafeMutableRawPointer?
}

/// The threads that `pthread_create` has started in the run, by number. The main thread is not one of them.
private final class Threads: RunBound {
    private let started = Guarded<[Int: Started]>([:])

    static var current: Threads { ThreadContext.runtime.with { $0.knownSlots }.shared { Threads() } }

    func runHasEnded() {
        // The threads are released outside of the lock, because a `deinit` may use this table.
        let left = started.withLock { started in
            defer { started = [:] }
            return started
        }
        withExtendedLifetime(left) {}
    }

    subscript(thread: Lab.pthread_t) -> Started? {
        get { started.withLock { $0[thread.number] } }
        set { started.withLock { $0[thread.number] = newValue } }
    }
}

@discardableResult
public func pthread_create(
    _ thread: UnsafeMutablePointer<Lab.pthread_t>, _ attributes: UnsafePointer<Lab.pthread_attr_t>?,
    _ routine: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let started = Started()
    nonisolated(unsafe) let (routine, argument) = (routine, argument)
    var copied = ThreadAttributes()
    if let attributes {
        copied.isDetached = attributes.pointee.isDetached
        copied.stackSize = attributes.pointee.stackSize
    }
    var code: Int32 = 0
    must {
        do {
            let new = try Thread(nil, copied, file: file, line: line) {
                // The new thread may run before its creator adds the entry below.
                Threads.current[pthread_self()] = started
                started.result = routine(argument)
            }
            started.thread = new
            thread.initialize(to: Lab.pthread_t(new.number))
            Threads.current[thread.pointee] = started
        } catch let error as ThreadCreationFailed { code = error.code }
    }
    return code
}

/// Waits until the thread has ended. Returns `ESRCH` for a thread that `pthread_create` has not started.
@discardableResult
public func pthread_join(
    _ thread: Lab.pthread_t, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    guard let started = Threads.current[thread], let joined = started.thread else { return ESRCH }
    must { try joined.join(file: file, line: line) }
    result?.pointee = started.result
    return 0
}

/// Makes the thread detached. Returns `ESRCH` for a thread that `pthread_create` has not started.
@discardableResult
public func pthread_detach(
    _ thread: Lab.pthread_t, file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    guard let started = Threads.current[thread], let detached = started.thread else { return ESRCH }
    must { try detached.detach(file: file, line: line) }
    return 0
}

public func pthread_self() -> Lab.pthread_t { Lab.pthread_t(Thread.current.number) }

public func pthread_equal(_ a: Lab.pthread_t, _ b: Lab.pthread_t) -> Int32 { a == b ? 1 : 0 }

/// Has no effect: traces call these threads `thread 1`, `thread 2`, … in the order in which they are started.
@discardableResult
public func pthread_setname_np(_ thread: Lab.pthread_t, _ name: UnsafePointer<CChar>) -> Int32 { 0 }

// MARK: - Attributes

@discardableResult
public func pthread_attr_init(_ attributes: UnsafeMutablePointer<Lab.pthread_attr_t>) -> Int32 {
    attributes.initialize(to: Lab.pthread_attr_t())
    return 0
}

@discardableResult
public func pthread_attr_destroy(_ attributes: UnsafeMutablePointer<Lab.pthread_attr_t>) -> Int32 { 0 }

@discardableResult
public func pthread_attr_setdetachstate(
    _ attributes: UnsafeMutablePointer<Lab.pthread_attr_t>, _ state: Int32
) -> Int32 {
    guard [PTHREAD_CREATE_JOINABLE, PTHREAD_CREATE_DETACHED].contains(Int(state)) else { return EINVAL }
    attributes.pointee.isDetached = Int(state) == PTHREAD_CREATE_DETACHED
    return 0
}

@discardableResult
public func pthread_attr_setstacksize(
    _ attributes: UnsafeMutablePointer<Lab.pthread_attr_t>, _ size: Int
) -> Int32 {
    guard size >= ThreadAttributes.minimumStackSize else { return EINVAL }
    attributes.pointee.stackSize = size
    return 0
}
