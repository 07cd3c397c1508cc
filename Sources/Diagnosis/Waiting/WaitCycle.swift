import Trace

/// Threads of which each waits for the next, and the last for the first. None can ever go on.
package struct WaitCycle: Equatable, Sendable {
    /// One thread of the cycle, and why it waits for the next one.
    package struct Link: Equatable, Sendable {
        package var wait: Wait
        package var next: ThreadID
        /// The next thread's lock, if that is what is waited for.
        package var hold: Hold?

        package var thread: ThreadID { wait.thread }
    }

    package var links: [Link]

    package var threads: [ThreadID] { links.map(\.thread) }
}
