import Dispatch
import Primitives

extension Lab.DispatchQueue {
    // MARK: - Blocks

    @preconcurrency
    public func async(
        group: Lab.DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        file: StaticString = #fileID, line: UInt = #line, execute work: @escaping @Sendable () -> Void
    ) {
        group?.enter(file: file, line: line)
        must {
            try base.async(flags: flags.primitive, file: file, line: line) {
                work()
                group?.leave(file: file, line: line)
            }
        }
    }

    @preconcurrency
    public func asyncAfter(
        deadline: Lab.DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        file: StaticString = #fileID, line: UInt = #line, execute work: @escaping @Sendable () -> Void
    ) {
        must {
            try base.asyncAfter(
                deadline: deadline.instant, flags: flags.primitive, file: file, line: line
            ) { work() }
        }
    }

    @preconcurrency
    public func asyncAfter(
        wallDeadline: Lab.DispatchWallTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        file: StaticString = #fileID, line: UInt = #line, execute work: @escaping @Sendable () -> Void
    ) {
        asyncAfter(deadline: wallDeadline, qos: qos, flags: flags, file: file, line: line, execute: work)
    }

    public func sync<Result, Failure>(
        flags: DispatchWorkItemFlags = [], file: StaticString = #fileID, line: UInt = #line,
        execute work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        must {
            try base.sync(flags: flags.primitive, file: file, line: line) {
                do throws(Failure) { result = .success(try work()) } catch { result = .failure(error) }
            }
        }
        // The call had no effect (see `must`), so the work is done here.
        guard let result else { return try work() }
        return try result.get()
    }

    // MARK: - Work items

    public func async(
        file: StaticString = #fileID, line: UInt = #line, execute item: Lab.DispatchWorkItem
    ) {
        async(flags: item.flags, file: file, line: line) { item.perform(file: file, line: line) }
    }

    public func async(
        group: Lab.DispatchGroup, file: StaticString = #fileID, line: UInt = #line, execute item: Lab.DispatchWorkItem
    ) {
        async(group: group, flags: item.flags, file: file, line: line) { item.perform(file: file, line: line) }
    }

    public func asyncAfter(
        deadline: Lab.DispatchTime, file: StaticString = #fileID, line: UInt = #line, execute item: Lab.DispatchWorkItem
    ) {
        asyncAfter(deadline: deadline, flags: item.flags, file: file, line: line) {
            item.perform(file: file, line: line)
        }
    }

    public func asyncAfter(
        wallDeadline: Lab.DispatchWallTime, file: StaticString = #fileID, line: UInt = #line,
        execute item: Lab.DispatchWorkItem
    ) {
        asyncAfter(deadline: wallDeadline, file: file, line: line, execute: item)
    }

    public func sync(
        file: StaticString = #fileID, line: UInt = #line, execute item: Lab.DispatchWorkItem
    ) {
        sync(flags: item.flags, file: file, line: line) { item.perform(file: file, line: line) }
    }
}

extension Lab.DispatchQueue {
    /// Calls the block for each number below `iterations`, on the calling thread and others, and waits until all calls
    /// have returned.
    public static func concurrentPerform(
        iterations: Int, file: StaticString = #fileID, line: UInt = #line, execute work: (Int) -> Void
    ) {
        withoutActuallyEscaping(work) { work in
            let calls = Calls(work)
            defer { calls.work = nil }
            let next = Primitives.Atomic("next iteration", 0, file: file, line: line)
            let done = Lab.DispatchSemaphore(value: 0, file: file, line: line)
            let help: @Sendable () -> Void = {
                while case let number = must(orElse: iterations, { try next.add(1, file: file, line: line) }),
                    number < iterations
                {
                    calls.make(number)
                }
            }
            let helpers = max(0, min(iterations, width) - 1)
            for _ in 0..<helpers {
                must {
                    try Primitives.Thread.detach("iterations", file: file, line: line) {
                        help()
                        done.signal(file: file, line: line)
                    }
                }
            }
            help()
            for _ in 0..<helpers { done.wait(file: file, line: line) }
        }
    }

    /// The caller's block, which must not outlive the call. A thread that has signaled `done` keeps its own closure for
    /// a moment longer. That closure refers to this object, from which the caller then removes the block.
    private final class Calls: @unchecked Sendable {
        /// Set to nil when no thread calls it any more.
        var work: ((Int) -> Void)?

        init(_ work: @escaping (Int) -> Void) { self.work = work }

        /// Must not be inlined, so that no reference to the block remains when it returns.
        @inline(never) func make(_ number: Int) { work?(number) }
    }
}
