import Testing

@testable import Machine

@Suite struct IndependenceCheckTests {
    /// How many of the next steps are compared with the rule.
    private func compared(_ steps: Int, _ check: IndependenceCheck, _ bench: Bench) -> Int {
        (0..<steps).count { _ in
            _ = check.choose(bench.state)
            #expect(bench.state.header.pointee.isCompared == check.isDue)
            return check.isDue
        }
    }

    @Test func `every step of a small program is compared, and a sixteenth of a long search's`() {
        let (check, bench) = (IndependenceCheck(), Bench())
        #expect(compared(5_000, check, bench) == 5_000)
        #expect((900...1_100).contains(compared(16_000, check, bench)))
    }

    @Test(arguments: [2, 16, 17, 64, 730]) func `of executions of any length, every step is compared now and then`(
        _ length: Int
    ) {
        let (check, bench) = (IndependenceCheck(), Bench())
        _ = compared(5_000, check, bench)
        var places: Set<Int> = []
        for step in 0..<length * 400 where compared(1, check, bench) == 1 { places.insert(step % length) }
        #expect(places.count == length)
    }
}
