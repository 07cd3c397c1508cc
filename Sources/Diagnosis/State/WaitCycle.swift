import Trace

/// Threads that each wait for the next, and the last for the first. None can ever continue.
package struct WaitCycle: Equatable, Sendable {
    /// One thread of the cycle, and why it waits for the next one.
    package struct Link: Equatable, Sendable {
        package var wait: Wait
        package var next: ThreadID
        /// The next thread's hold that blocks this one. Nil if this one waits for a thread's end, or behind a writer
        /// that waits too.
        package var hold: Hold?

        package var thread: ThreadID { wait.thread }
    }

    package var links: [Link]

    package var threads: [ThreadID] { links.map(\.thread) }
}
