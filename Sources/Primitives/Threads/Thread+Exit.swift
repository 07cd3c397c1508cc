import Execution
import Text
import Trace

/// Code that runs on a thread when it is about to end (Foundation's `NSThreadWillExit`).
extension Thread {
    /// Runs the block on the calling thread after its body, but before it has ended: before destructors of slots that
    /// were set earlier, and before a join returns. Blocks run in the order of their addition.
    ///
    /// The blocks of a thread that the end of the process cuts off do not run, nor do the main thread's if it returns.
    public static func whenExiting(
        file: StaticString = #fileID, line: UInt = #line, _ block: @escaping @Sendable () -> Void
    ) {
        let runtime = ThreadContext.runtime.counted
        let key = ExitNotices.key(in: runtime)
        let present = runtime.slotValue(key).map { unsafeDowncast($0, to: ExitNotices.self) }
        let notices = present ?? ExitNotices()
        notices.blocks.append(block)
        if present == nil { runtime.setSlotValue(key, notices) }
    }

    /// Ends the process, from any thread: all other threads, including the main thread, are cut off where they are,
    /// without cleanup (POSIX `exit`). The return of the main thread does the same.
    public static func exitProcess(file: StaticString = #fileID, line: UInt = #line) throws -> Never {
        try ThreadContext.runtime.with { try $0.exitProcess(at: SourceSite(file, line)) }
    }

    /// Ends the calling thread here: nothing on its stack is released, no destructor of a slot runs, and its locks stay
    /// locked.
    package static func endAtOnce() throws -> Never {
        try ThreadContext.runtime.with { try $0.endAtOnce() }
    }

    /// The blocks of one thread. Only that thread uses them.
    final class ExitNotices {
        fileprivate var blocks: [@Sendable () -> Void] = []

        fileprivate static func key(in runtime: any Runtime) -> Int {
            runtime.knownSlot(.exitNotices) { unsafeDowncast($0, to: ExitNotices.self).runAll() }
        }

        /// Runs the calling thread's blocks, if any, before its slots' destructors.
        static func run() {
            let runtime = ThreadContext.runtime.counted
            let key = key(in: runtime)
            guard let present = runtime.slotValue(key) else { return }
            runtime.setSlotValue(key, nil)
            unsafeDowncast(present, to: ExitNotices.self).runAll()
        }

        private func runAll() {
            ThreadContext.runtime.record(.threadWillExit, at: .unknown)
            for block in blocks { block() }
        }
    }
}

/// The word in which a thread sees the request to end at once.
final class KillRequest: StepHook {
    private let word: Part
    private let atEnd: @Sendable () throws -> Void

    /// - Parameter atEnd: runs on the thread immediately before it ends.
    init(_ thread: String, at site: SourceSite, atEnd: @escaping @Sendable () throws -> Void = {}) {
        word = Part(.atomic, "\(thread.possessive) kill request", at: site)
        self.atEnd = atEnd
    }

    func make(at site: SourceSite) throws { try word.handle.perform(.store, 1, at: site) }

    /// The body of a thread that checks for the request before each of its operations.
    func guarding(_ body: ThreadBody) -> ThreadBody {
        .returning {
            ThreadContext.runtime.with { $0.stepHook = self }
            return try body.run()
        }
    }

    func beforeOperation() throws {
        guard try word.handle.perform(.load, at: .unknown) != 0 else { return }
        try atEnd()
        try Thread.endAtOnce()
    }
}
