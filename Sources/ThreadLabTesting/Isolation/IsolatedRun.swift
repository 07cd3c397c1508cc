/// A call of this library that does its work in another process.
enum IsolatedRun {
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

    /// The limit of time for everything but the work itself in the other process, in nanoseconds.
    private static let patience: UInt64 = 120_000_000_000
}
