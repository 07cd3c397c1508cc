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
        let isWhole = try Check(programs, plan, jobs: jobs).run(
            note: {
                results[$0] = $1
                return true
            }, progress: { _ in })
        #expect(isWhole)
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
            let isWhole = try Check([program, Program {}], CheckTests.plan, jobs: 1).run(
                note: { _, _ in true },
                progress: { _ in
                    var poll = pollfd(fd: news.reader, events: Int16(POLLIN), revents: 0)
                    if Glibc.poll(&poll, 1, 0) > 0 { me.signal(SIGTERM) }
                })
            #expect(!isWhole)
            // All processes that could have written there are gone.
            close(news.writer)
            var bytes = [UInt8](repeating: 0, count: 16)
            while case let count = read(news.reader, &bytes, 16), count != 0 {}
        }
    }
}
