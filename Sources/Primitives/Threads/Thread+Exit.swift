import Execution
import Text
import Trace

/// How a thread ends: code that runs on it just before (Foundation's `NSThreadWillExit`), and ends of the process or
/// the thread without cleanup.
extension Thread {
    /// Runs the block on the calling thread when its body is over, but before it has ended, and so before a join
    /// returns. On the thread of a `ThreadObject`, the block also runs before the destructors of slots. Blocks run in
    /// the order in which they were added.
    ///
    /// If the end of the process cuts the thread off, its blocks do not run. Nor do those of the main thread if it
    /// returns, because that ends the process.
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

        /// The key of the slot that holds them. The slot's destructor runs them for a `Thread`; a `ThreadObject` calls
        /// `run` itself.
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

/// The request that a thread end at once: a flag that any thread can set, and that the thread itself checks before each
/// of its operations.
final class KillRequest: StepHook {
    private let word: Part
    private let atEnd: @Sendable () throws -> Void

    /// - Parameter atEnd: runs on the thread immediately before it ends.
    init(_ thread: String, at site: SourceSite, atEnd: @escaping @Sendable () throws -> Void = {}) {
        word = Part(.atomic, "\(thread.possessive) kill request", at: site)
        self.atEnd = atEnd
    }

    /// Makes the request, from any thread.
    func make(at site: SourceSite) throws { try word.handle.perform(.store, 1, at: site) }

    /// Returns a body that checks for the request before each operation of `body`.
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
