import Execution
import Exploration
import Machine
import Testing

/// The parts into which the search of a Swift scenario is divided, against the search as a whole.
@Suite struct DividedPrimitivesTests {
    private static let rules = Rules(maximumSteps: 10_000)

    /// Nil: there are more than the limit.
    private func traces(
        of subject: ControlledSubject, _ part: SearchPart = SearchPart(), limit: Int
    ) -> Int? {
        let search = PartialOrderSearch(rules: Self.rules, part: part)
        var number = 0
        while search.prepare(number) {
            _ = search.execute(subject)
            number += 1
            if number == limit { return nil }
        }
        #expect(search.obstacle == nil)
        return search.completeCount
    }

    @Test(arguments: PrimitiveProgram.all)
    func `the parts of a scenario have as many traces as the whole`(_ program: PrimitiveProgram) {
        let sight = Sight()
        // What was seen in one execution must not be there in the next.
        let subject = ControlledSubject(Self.rules) {
            _ = sight.take()
            try program.body(sight)
        }
        guard let whole = traces(of: subject, limit: 3000) else { return }
        let parts = Division(of: subject, seed: 1).parts(atMost: 5)
        #expect(parts.compactMap { traces(of: subject, $0, limit: 6000) }.reduce(0, +) == whole)
    }
}
