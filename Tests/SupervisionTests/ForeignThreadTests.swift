import Diagnosis
import Exploration
import Machine
import Primitives
import Support
import Testing
import Trace

@testable import Supervision

/// A scenario with a thread that the lab has not started: refused in a run, in a search and in a check.
@Suite struct ForeignThreadTests {
    /// Main waits for the thread as the system does, and takes a step afterwards.
    static let program = Program {
        let mutex = Mutex("mutex")
        let other = ForeignThread { try? mutex.withLock {} }
        other.join()
        try mutex.withLock {}
    }

    /// Main never waits for it.
    static let detached = Program {
        let mutex = Mutex("mutex")
        _ = ForeignThread { for _ in 1...100 { try? mutex.withLock {} } }
        for _ in 1...100 { try mutex.withLock {} }
    }

    /// The thread would end a wait of the lab.
    static let awaited = Program {
        let semaphore = try Semaphore("semaphore", value: 0)
        let other = ForeignThread { try? semaphore.signal() }
        other.join()
        try semaphore.wait()
    }

    @Test(arguments: 0..<3)
    func `a run ends as a misuse that names the object and the line`(number: Int) async {
        await #expect(processExitsWith: .success) { [number] in
            let modes = [RunPlan.Mode.controlled(seed: 1), .replay(Schedule()), .native]
            let run = try Supervisor.finish(RunPlan(ForeignThreadTests.program, modes[number], timeout: .max / 4))
            let outcome = try #require(run.trace.outcome)
            #expect(outcome.kind == .misuse)
            #expect(outcome.summary == "A thread that does not belong to the run used mutex.")
            #expect(outcome.details.contains { $0.contains("ForeignThreadTests.swift:16, by 'lock'") })
            #expect(run.findings.map(\.code) == [.wrongThread])
            #expect(run.trace.events.contains { $0.kind == .threadForeign })
            #expect(!run.trace.events.contains { $0.kind == .runDiverged })
        }
    }

    @Test(arguments: [1, 3]) func `a search is given up, and is no proof`(jobs: Int) async {
        await #expect(processExitsWith: .success) { [jobs] in
            for program in [ForeignThreadTests.program, ForeignThreadTests.awaited] {
                var plan = SearchPlan(program)
                plan.jobs = jobs
                plan.time = .max / 4
                let (result, findings) = try SearchSupervisor.run(plan)
                guard case .foreignThread(let sentence) = result.discrepancy else {
                    Issue.record("\(String(describing: result.discrepancy))")
                    continue
                }
                #expect(sentence.contains("does not belong to the run"))
                #expect(sentence.contains("ForeignThreadTests.swift:"))
                #expect(!result.isProof && findings.isEmpty)
            }
        }
    }

    @Test func `a check fails, and a proof by it is not one`() async {
        await #expect(processExitsWith: .success) {
            let result = try #require(try CheckTests.results([ForeignThreadTests.program])[0])
            #expect(result.failure == nil)
            let discrepancy = try #require(result.evidence[0].discrepancy)
            #expect(discrepancy.hasPrefix("not controllable: A thread that does not belong"))
            #expect(!result.evidence[0].isProof)
            #expect(result.evidence[1].sightings.map(\.outcome.kind) == [.misuse])
            #expect(!Judgement.mismatches(result.evidence, .completes).isEmpty)
        }
    }

    @Test func `a thread that is not waited for is refused too, and what it does is harmless`() async {
        await #expect(processExitsWith: .success) {
            for mode in [RunPlan.Mode.controlled(seed: 1), .native] {
                let run = try Supervisor.finish(RunPlan(ForeignThreadTests.detached, mode, timeout: .max / 4))
                // It may come when the run is over.
                #expect([.misuse, .completed].contains(run.trace.outcome?.kind))
            }
        }
    }
}
