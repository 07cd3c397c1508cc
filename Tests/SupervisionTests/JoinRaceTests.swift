import Authoring
import Exploration
import Machine
import Primitives
import Testing
import Trace

@testable import Supervision

/// An attempt to join a thread, and the thread's last step, in both orders.
@Suite struct JoinRaceTests {
    @Test(arguments: [true, false], [true, false])
    func `both orders are tried, also if time passes right after the thread's end`(
        sleeps: Bool, failsIfEnded: Bool
    ) async {
        await #expect(processExitsWith: .success) { [sleeps, failsIfEnded] in
            let program = Program {
                let gate = try Semaphore("gate", value: 0)
                let kid = try Thread("kid") { try gate.wait() }
                try gate.signal()
                let hasEnded = try kid.tryJoin() != nil
                try check(hasEnded != failsIfEnded, "the order that is sought")
                if hasEnded { return }
                if sleeps { try Thread.sleep(for: .milliseconds(1)) }
                _ = try kid.join()
            }
            var plan = SearchPlan(program)
            plan.strategy = .dpor
            let result = try SearchSupervisor.run(plan, telling: .none).result
            #expect(result.findings.contains { $0.kind == .assertion })
        }
    }
}
