/// A call of this library that does its work in a process of its own.
enum IsolatedRun {
    /// - Parameters:
    ///   - time: the limit for the work, in nanoseconds.
    ///   - work: done in the process that was started for the call, which ends then.
    /// - Returns: its report. Nil: this process was started for another call, so this one does nothing.
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

    /// The time that everything but the work itself may take in a process of its own, in nanoseconds.
    private static let patience: UInt64 = 120_000_000_000
}
