/// What a process does about an isolated call, according to its role: starts another process, does the work, or skips
/// the call.
enum IsolatedRun {
    /// Returns the report on the work, which another process has done.
    ///
    /// - Parameters:
    ///   - time: the limit for the work, in nanoseconds.
    ///   - work: runs in the process that was started for the call, which then ends.
    /// - Returns: the report. Nil: this process was started for another call, and skips this one.
    static func report(
        of call: IsolatedCall, time: UInt64, _ work: () throws -> IsolatedReport
    ) throws -> IsolatedReport? {
        switch call.role(EnvironmentSettings.variable(IsolatedCall.variable)) {
        case .bystander: return nil
        case .earlierRound(let descriptor):
            IsolatedWorker.noteEarlierRound(to: descriptor)
            return nil
        case .worker(let descriptor): IsolatedWorker.work(reportingTo: descriptor, work)
        case .starter:
            let report = try IsolatedProcess(call, limit: min(time, .max - patience) + patience).run()
            if let error = report.error { throw TestingError(error) }
            return report
        }
    }

    /// The time that the other process has in addition to the work, to start and to reach the call, in nanoseconds.
    private static let patience: UInt64 = 120_000_000_000
}
