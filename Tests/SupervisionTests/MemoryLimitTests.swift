import Diagnosis
import Exploration
import Primitives
import Support
import Testing

@testable import Supervision

/// What a search may have of memory is a limit of its process, whatever in it needs the memory. The limit is less than any process has, so
/// that neither time nor the machine decides when it is reached.
@Suite struct MemoryLimitTests {
    static let endless = Program {
        let mutex = Mutex("m")
        while true { try mutex.withLock {} }
    }

    @Test func `a search ends whose process has more memory than it may`() async {
        await #expect(processExitsWith: .success) {
            var plan = SearchPlan(MemoryLimitTests.endless)
            plan.time = .max / 8
            plan.memory = 1
            let (result, _) = try SearchSupervisor.run(plan)
            #expect(result.stop == .memory && result.total == nil)
        }
    }

    @Test func `a check says that the limit of memory was reached`() async {
        await #expect(processExitsWith: .success) {
            var plan = CheckPlan(executions: .max, nativeRuns: 0, seed: 1, time: .max / 8)
            plan.processMemory = 1
            let evidence = try ControlledSearch(MemoryLimitTests.endless, plan).gather().evidence
            #expect(evidence.extent == .part(.memory))
        }
    }

    @Test func `a check has a gigabyte for a search if nothing else is said, and most of it for states`() {
        #expect(CheckPlan(executions: 1, nativeRuns: 0, seed: 1, time: 1).processMemory == 1 << 30)
        #expect(UsualMemory.ofStates(in: 1 << 30) == 3 << 28)
    }
}
