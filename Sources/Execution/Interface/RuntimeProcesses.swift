import Trace

/// What a runtime knows of processes. Only on real threads are there several.
package protocol RuntimeProcesses: AnyObject {
    /// Starts a process that runs the body, and ends with the body's value as its status: a copy of this one, with the
    /// calling thread only.
    ///
    /// - Returns: its number; nil if the runtime has one process only, so that it has to be modelled.
    /// - Throws: `ProcessFailed`, or `RunEnded`.
    func startProcess(_ body: @escaping @Sendable () throws -> Int) throws -> Int?

    /// Waits for the end of a process that this one started, until the deadline at the latest.
    ///
    /// - Returns: nil if the deadline passed.
    func waitForProcess(_ number: Int, until deadline: Int) throws -> ProcessEnd?

    func killProcess(_ number: Int)

    /// Runs another program in place of the calling process. Where processes are modelled, the calling thread ends.
    func execute(_ program: String) throws -> Never

    /// The number of the calling thread's process. Settable where processes are modelled.
    var processNumber: Int { get set }

    /// Whether a process of this number runs.
    func isProcessAlive(_ number: Int) throws -> Bool
}
