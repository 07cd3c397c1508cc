import Diagnosis
import Glibc
import Primitives
import Testing
import Trace

@testable import Supervision

/// Evidence about several programs, each gathered in a separate process.
@Suite struct CheckTests {
    static let plan = CheckPlan(executions: 1000, nativeRuns: 1, seed: 1, time: .max / 8)

    /// The result of each.
    static func results(_ programs: [Program], jobs: Int = 1) throws -> [Int: TrialResult] {
        var results: [Int: TrialResult] = [:]
        let signal = try Check(programs, plan, jobs: jobs).run(
            note: {
                results[$0] = $1
                return true
            }, progress: { _ in })
        #expect(signal == nil)
        return results
    }

    @Test(arguments: [1, 3]) func `each program shows what it does, beside what it does to its process`(
        jobs: Int
    ) async {
        await #expect(processExitsWith: .success) { [jobs] in
            let programs = [
                Program {}, Program(.must(.crash)) { abort() },
                Program(.must(.leak)) { _ = try Thread {} },
            ]
            let results = try CheckTests.results(programs, jobs: jobs)
            for (number, kinds) in [[], [OutcomeKind.crash], [.leak]].enumerated() {
                let result = try #require(results[number])
                #expect(result.failure == nil)
                #expect(result.evidence.map(\.runtime) == [.controlled, .native])
                #expect(result.evidence[0].sightings.map(\.outcome.kind) == kinds)
                #expect(result.evidence[1].runs == 1)
            }
        }
    }

    @Test func `promised warnings are looked for in random runs and on real threads`() async {
        await #expect(processExitsWith: .success) {
            let sleeper: @Sendable () throws -> Void = {
                let (begun, permit) = (try Semaphore(value: 0), try Semaphore(value: 0))
                try Thread {
                    try begun.signal()
                    try permit.wait()
                }.detach()
                try begun.wait()
            }
            let orders: @Sendable () throws -> Void = {
                let (a, b) = (Mutex("a"), Mutex("b"))
                let first = try Thread { try a.withLock { try b.withLock {} } }
                let second = try Thread {
                    try Thread.sleep(for: .milliseconds(1))
                    try b.withLock { try a.withLock {} }
                }
                try first.join()
                try second.join()
                try sleeper()
            }
            let programs = [
                Program(.may(warning: .cutOff, .starvation), sleeper),
                Program(.must(.lockOrder, warning: .cutOff), orders),
                Program(.completes, sleeper),
            ]
            let results = try CheckTests.results(programs)
            let evidence = try (0..<3).map { try #require(results[$0]).evidence }
            #expect(evidence[0].map(\.examined) == [100, 1])
            #expect(evidence[0].map { $0.warnings.map(\.kind) } == [[.cutOff], [.cutOff]])
            for number in 0...1 {
                #expect(evidence[number][0].examined == 100 && evidence[number][0].shows(.cutOff))
                let warning = evidence[number][0].warnings[0]
                #expect(warning.count == 100 && warning.first?.number == 1 && warning.first?.schedule.isEmpty == false)
            }
            #expect(evidence[0][0].isProof && !evidence[1][0].isProof)
            #expect(evidence[1][0].sightings.map(\.outcome.kind) == [.lockOrder])
            #expect(evidence[2].allSatisfy { $0.examined == 0 && $0.warnings.isEmpty })
        }
    }

    @Test func `a proof that is given is not repeated`() async {
        await #expect(processExitsWith: .success) {
            let news = try Surroundings.makePipe()
            let program = Program {
                var byte: UInt8 = 0
                write(news.writer, &byte, 1)
            }
            let proof = Evidence(.controlled, runs: 7, .all(Explored(.traces, 7), Premises()))
            for (nativeRuns, writes) in [(0, 0), (1, 1)] {
                var plan = CheckTests.plan
                plan.nativeRuns = nativeRuns
                var evidence: [Evidence] = []
                _ = try Check([program], plan, jobs: 1, proofs: [0: proof]).run(
                    note: {
                        evidence = $1.evidence
                        return true
                    }, progress: { _ in })
                #expect(evidence.first == proof && evidence.dropFirst().map(\.runs) == (writes == 0 ? [] : [1]))
                var poll = pollfd(fd: news.reader, events: Int16(POLLIN), revents: 0)
                #expect(Glibc.poll(&poll, 1, 0) == writes)
            }
        }
    }

    @Test func `a trace is kept of each outcome that is not allowed`() async {
        await #expect(processExitsWith: .success) {
            var plan = CheckTests.plan
            plan.keepsTraces = true
            var traces: [TrialResult.KeptTrace] = []
            _ = try Check([Program { abort() }, Program(.must(.crash)) { abort() }], plan, jobs: 1).run(
                note: {
                    traces += $1.traces
                    return true
                }, progress: { _ in })
            #expect(traces.map(\.runtime) == [.controlled, .native] && traces.allSatisfy { $0.kind == .crash })
            for trace in traces {
                #expect(try TraceReader.read(trace.content).header.runtime == trace.runtime)
            }
        }
    }

    @Test func `evidence that was written over is a failure of that program's alone`() async {
        await #expect(processExitsWith: .success) {
            Surroundings.sparePipes()
            let results = try CheckTests.results([Program { Surroundings.scribble() }, Program {}])
            #expect(results[0]?.failure == DamagedMessage.explanation)
            #expect(results[1]?.failure == nil && results[1]?.evidence.count == 2)
        }
    }

    @Test func `an interruption ends it, and leaves no process behind`() async {
        await #expect(processExitsWith: .success) {
            let (news, me) = (try Surroundings.makePipe(), Surroundings.ThreadAddress())
            let program = Program {
                var byte: UInt8 = 0
                write(news.writer, &byte, 1)
                while true { pause() }
            }
            let signal = try Check([program, Program {}], CheckTests.plan, jobs: 1).run(
                note: { _, _ in true },
                progress: { _ in
                    var poll = pollfd(fd: news.reader, events: Int16(POLLIN), revents: 0)
                    if Glibc.poll(&poll, 1, 0) > 0 { me.signal(SIGTERM) }
                })
            #expect(signal == SIGTERM)
            // All processes that could have written there are gone.
            close(news.writer)
            var bytes = [UInt8](repeating: 0, count: 16)
            while case let count = read(news.reader, &bytes, 16), count != 0 {}
        }
    }
}
