import CLab
import Execution
import Machine
import Trace

/// A thread of the scenario: on real threads a pthread, under the scheduler a fiber that takes a step when it is
/// chosen.
///
/// It starts when it is created. A joinable thread must be joined: until then its value is kept, and on real threads
/// its stack.
public final class Thread: Sendable {
    private let handle: Handle
    /// The request that it end at once (`kill`). Nil: the thread cannot be killed.
    private let kill: KillRequest?

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: its name in traces, made unique within the run, and in the kernel (the first 15 bytes).
    ///   - body: runs on the new thread. If it throws an error, the run ends.
    /// - Throws: `ThreadCreationFailed`, if the system cannot create another thread or refuses the attributes.
    public convenience init(
        _ name: String? = nil, _ attributes: ThreadAttributes = ThreadAttributes(), file: StaticString = #fileID,
        line: UInt = #line, _ body: consuming @escaping @Sendable () throws -> Void
    ) throws {
        try self.init(name, attributes, at: SourceSite(file, line), .plain(consume body))
    }

    /// Starts a thread whose body returns a value to the thread that joins it.
    public static func returning(
        _ name: String? = nil, _ attributes: ThreadAttributes = ThreadAttributes(), file: StaticString = #fileID,
        line: UInt = #line, _ body: @escaping @Sendable () throws -> Int
    ) throws -> Thread {
        try Thread(name, attributes, at: SourceSite(file, line), .returning(body))
    }

    /// For built primitives, which pass their caller's site.
    convenience init(
        _ name: String, _ attributes: ThreadAttributes, at site: SourceSite,
        _ body: consuming @escaping @Sendable () throws -> Void
    ) throws {
        try self.init(name, attributes, at: site, .plain(consume body))
    }

    /// - Parameter kill: the request by which the thread can be killed, for a primitive that must itself act when that
    ///   happens. Nil: made here, if the attributes allow killing.
    init(
        _ name: String?, _ attributes: ThreadAttributes = ThreadAttributes(), killedBy kill: KillRequest? = nil,
        at site: SourceSite, _ body: consuming ThreadBody
    ) throws {
        let runtime = ThreadContext.runtime
        self.kill = kill ?? (attributes.canBeKilled ? KillRequest(name ?? "thread", at: site) : nil)
        let whole: ThreadBody = if let kill = self.kill { kill.guarding(consume body) } else { consume body }
        handle = Handle(on: try runtime.startThread(named: name, attributes, at: site, body: whole), of: runtime)
    }

    private init(_ thread: ThreadID, of runtime: RuntimeReference) {
        handle = Handle(on: RuntimeObject(id: UInt32(thread.index)), of: runtime)
        kill = nil
    }

    /// Starts a thread that cannot be joined, and that ends with the process.
    public static func detach(
        _ name: String? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable () throws -> Void
    ) throws {
        _ = try Thread(name, ThreadAttributes(isDetached: true), file: file, line: line, body)
    }

    /// The calling thread.
    public static var current: Thread {
        let runtime = ThreadContext.runtime
        return Thread(runtime.currentThread, of: runtime)
    }

    /// Its name in traces, unique within the run.
    public var name: String { handle.with { $0.name(of: id) } }

    /// Whether this is the thread that runs the scenario's `run()`.
    public var isMain: Bool { handle.object.id == 0 }

    var id: ThreadID { ThreadID(Int(handle.object.id)) }

    /// Its number in the run plus one, so at least 1.
    package var number: Int { Int(handle.object.id) + 1 }

    // MARK: - Its end

    /// Waits until the thread has ended.
    ///
    /// - Returns: the value that its body returned or that it exited with.
    /// - Throws: `Misuse` `join-self`, `join-detached`, or `join-twice`.
    @discardableResult
    public func join(file: StaticString = #fileID, line: UInt = #line) throws -> Int {
        _ = try perform(.join, at: SourceSite(file, line))
        return result
    }

    /// Joins the thread if it has ended already.
    ///
    /// - Returns: its value. Nil: it still runs, and can be joined later.
    public func tryJoin(file: StaticString = #fileID, line: UInt = #line) throws -> Int? {
        try perform(.tryJoin, at: SourceSite(file, line)) != 0 ? result : nil
    }

    /// Waits until the thread has ended, or until the deadline.
    ///
    /// - Returns: its value. Nil: the deadline passed, and the thread can be joined later.
    public func join(
        until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int? {
        let site = SourceSite(file, line)
        return try perform(.joinUntil, deadline.nanoseconds, at: site) != 0 ? result : nil
    }

    /// Detaches the thread: it cannot be joined any more, and need not be. It ends with the process (`pthread_detach`).
    ///
    /// - Throws: `Misuse` `detach-twice` or `detach-joined`.
    public func detach(file: StaticString = #fileID, line: UInt = #line) throws {
        _ = try perform(.detach, at: SourceSite(file, line))
    }

    /// Ends the thread where it is, before its next operation. It unlocks nothing, and runs neither its `defer` blocks
    /// nor destructors of its slots. A blocked thread ends when it is woken. A killed thread can be joined; its value
    /// is 0. Killing a thread that has ended has no effect.
    ///
    /// POSIX has no such call (`pthread_cancel` is a request), and no program should need it: ask the thread to end
    /// instead. It serves to show what a killed thread leaves behind.
    ///
    /// - Throws: `Misuse` `invalid-value`, unless this is the object that created the thread, with `canBeKilled`.
    public func kill(file: StaticString = #fileID, line: UInt = #line) throws {
        try kill(at: SourceSite(file, line))
    }

    func kill(at site: SourceSite) throws {
        guard let kill else { throw Misuse.recorded(.invalidValue, at: site) }
        handle.with { $0.record(.threadKill, 0, Int(handle.object.id), at: site) }
        try kill.make(at: site)
    }

    private func perform(_ kind: Operation.Kind, _ deadline: Int = 0, at site: SourceSite) throws -> Int {
        let operation = Operation(kind, 0, Int(handle.object.id), deadline)
        return try handle.perform(operation, at: site)
    }

    private var result: Int { handle.result() }

    // MARK: - The calling thread

    /// Ends the calling thread, from any function, with a value for the thread that joins it. Cleanup code runs.
    ///
    /// The main thread's `exit` ends only that thread: the process continues until the last thread has ended.
    public static func exit(with value: Int = 0) throws -> Never { throw ThreadExit(value: value) }

    /// Offers the processor to other threads.
    public static func yield(file: StaticString = #fileID, line: UInt = #line) throws {
        _ = try ThreadContext.runtime.perform(Operation(.yield), on: .none, at: SourceSite(file, line))
    }

    /// Sleeps for at least this long.
    public static func sleep(
        for duration: Duration, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let length = max(0, duration.wholeNanoseconds)
        try sleep(until: Instant.now + duration, meaning: length, SourceSite(file, line))
    }

    /// Sleeps at least until that moment, but not beyond the end of the run's clock, 292 years after the run began.
    public static func sleep(
        until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try sleep(until: deadline, meaning: 0, SourceSite(file, line))
    }

    /// - Parameter duration: the intended duration in nanoseconds, which the trace shows. 0: a moment was given
    ///   instead.
    private static func sleep(until deadline: Instant, meaning duration: Int, _ site: SourceSite) throws {
        let operation = Operation(.sleepUntil, 0, duration, min(deadline.nanoseconds, Operation.latest))
        _ = try ThreadContext.runtime.perform(operation, on: .none, at: site)
    }
}

extension Thread: Equatable {
    public static func == (a: Thread, b: Thread) -> Bool { a.id == b.id && a.handle.isOfSameRuntime(as: b.handle) }
}

extension Thread {
    /// The calling thread's priority, 0 to 31, as it was last set; initially 15.
    public static var priority: Int { ThreadContext.runtime.with { $0.priority } }

    /// Changes the calling thread's priority while it runs, 0 to 31 (Foundation `setThreadPriority`, POSIX
    /// `pthread_setschedparam`). A hint: Linux lets only privileged processes raise a priority, and the controlled
    /// scheduler decides by its strategy.
    ///
    /// - Throws: `Misuse` `invalid-value`.
    public static func setPriority(_ priority: Int, file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        guard ThreadAttributes.refusal(ofPriority: priority) == nil else {
            throw Misuse.recorded(.invalidValue, at: site)
        }
        ThreadContext.runtime.with { $0.setPriority(priority, at: site) }
    }
}

extension Thread {
    /// Limits the number of threads that may exist at once, including the main thread (POSIX `PTHREAD_THREADS_MAX`; in
    /// practice, memory is what limits them). A joinable thread exists until it has been joined, or has ended and been
    /// detached; a detached one until it has ended. Above the limit a thread cannot be created (`ThreadCreationFailed`,
    /// `EAGAIN`).
    ///
    /// Without a limit a run can have 1,024 threads in total, including the main thread. Threads that have ended count
    /// too, because each has its own number in traces.
    ///
    /// - Throws: `Misuse` `invalid-value`, if the count is less than 1, or greater than 1,024, or if another thread has
    ///   been started.
    public static func setLimit(_ count: Int, file: StaticString = #fileID, line: UInt = #line) throws {
        let isValid = (1...MachineState.maximumThreads).contains(count) && ThreadContext.runtime.with(\.hasOneThread)
        guard isValid else { throw Misuse.recorded(.invalidValue, at: SourceSite(file, line)) }
        ThreadContext.runtime.with { $0.setThreadLimit(count) }
    }
}

extension Thread {
    /// The return addresses of the calling thread's calls, the innermost first: at most 128 (Foundation's
    /// `callStackReturnAddresses`). A debugger or `addr2line` turns them into lines.
    public static var callStackReturnAddresses: [UInt] {
        let most = 128
        return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: most) { frames in
            let count = clab_backtrace(frames.baseAddress!, Int32(most))
            return frames.prefix(Int(count)).map { UInt(bitPattern: $0) }
        }
    }
}

/// States that only this thread runs the code that follows, such as a function that belongs to the main thread. If
/// another thread runs it, the finding names that thread and the line of this call.
///
/// - Throws: `Misuse` `wrong-thread`.
public func precondition(onThread thread: Thread, file: StaticString = #fileID, line: UInt = #line) throws {
    guard Thread.current == thread else { throw Misuse.recorded(.wrongThread, at: SourceSite(file, line)) }
}
