import Execution
import Exploration
import Machine
import Primitives
import Testing

/// The search compared with random executions of the same program: whatever one of those comes to, the search has seen.
@Suite struct PrimitiveAgreementTests {
    private struct Ending: Hashable {
        var verdict: Verdict
        var seen: [String: [String]]
    }

    private final class Executions {
        private let sight = Sight()
        private let subject: ControlledSubject
        private(set) var endings: Set<Ending> = []

        init(of program: PrimitiveProgram) {
            let sight = sight
            subject = ControlledSubject(Rules(maximumSteps: 10_000)) { try program.body(sight) }
        }

        func run(_ strategy: any Strategy, upTo limit: Int) -> Int {
            var number = 0
            while number < limit && strategy.prepare(number) {
                let verdict = strategy.execute(subject)
                let seen = sight.take()
                if verdict != .stopped { endings.insert(Ending(verdict: verdict, seen: seen)) }
                number += 1
            }
            return number
        }
    }

    @Test(arguments: PrimitiveProgram.all)
    func `the search finds every ending that random executions find`(
        _ program: PrimitiveProgram
    ) {
        let found = Executions(of: program)
        let search = PartialOrderSearch(rules: Rules(maximumSteps: 10_000))
        let limit = 50_000
        #expect(found.run(search, upTo: limit) < limit)
        #expect(search.obstacle == nil)
        for strategy in [RandomWalk(seed: 1), POS(seed: 1), PCT(seed: 1, depth: 3)] as [any Strategy] {
            let other = Executions(of: program)
            _ = other.run(strategy, upTo: 400)
            #expect(other.endings.subtracting(found.endings) == [])
        }
    }
}
