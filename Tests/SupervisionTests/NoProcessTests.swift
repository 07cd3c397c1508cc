import Glibc
import Machine
import Testing

@testable import Supervision

/// Work that needs a process when none can be created.
@Suite struct NoProcessTests {
    /// The functions that fork.
    enum Worker: String, Codable, CaseIterable {
        case native, controlled, search, check

        func work() throws {
            let program = Program {}
            switch self {
            case .native: _ = try Supervisor.run(RunPlan(program, .native))
            case .controlled: _ = try Supervisor.run(RunPlan(program, .controlled(seed: 1)))
            case .search: _ = try SearchSupervisor.run(SearchPlan(program))
            case .check:
                let plan = CheckPlan(executions: 1, nativeRuns: 1, seed: 1, time: 1_000_000_000)
                _ = try Check([program], plan, jobs: 1).run(note: { _, _ in true }, progress: { _ in })
            }
        }
    }

    @Test(arguments: Worker.allCases) func `it is said, and signals and pipes are as they were`(
        worker: Worker
    ) async {
        await #expect(processExitsWith: .success) { [worker] in
            try Surroundings.forbidProcesses()
            let (signals, pipes) = (Surroundings.blockedSignals, Surroundings.pipes)
            do {
                try worker.work()
                Issue.record("it worked without a process")
            } catch let failure as SupervisionFailed {
                #expect(failure.description.hasPrefix("cannot start a process for the "))
            }
            #expect(Surroundings.blockedSignals == signals)
            #expect(Surroundings.pipes == pipes)
        }
    }
}
