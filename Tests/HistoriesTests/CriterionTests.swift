import Histories
import Testing

/// Correctness of histories, against a judge that tries every order.
@Suite struct CriterionTests {
    @Test(arguments: [Toy.stack, .queue, .register, .waitingQueue], Criterion.allCases)
    func `the search agrees with a judge that tries all orders`(_ toy: Toy, _ criterion: Criterion) {
        var random = SplitMix(state: 2026)
        var accepted = 0
        let count = 500
        for round in 0..<count {
            let timed = TimedHistory.random(
                toy, threads: 2 + round % 2, calls: 3 + round % 4, &random)
            let end: HistoryEnd = round % 3 == 0 ? .stuck : .open
            let order = timed.history.legalOrder(toy, criterion, end: end)
            let judge = NaiveJudge(toy: toy, timed: timed)
            #expect((order != nil) == judge.accepts(criterion, end: end), "\(timed.history)")
            if order != nil { accepted += 1 }
        }
        // Otherwise the comparison would say little.
        #expect(accepted > count / 10 && accepted < count)
    }

    @Test(arguments: [Toy.stack, .queue, .register])
    func `a linearizable history meets the other criteria`(_ toy: Toy) {
        var random = SplitMix(state: 7)
        for _ in 0..<300 {
            let history = TimedHistory.random(toy, threads: 3, calls: 6, &random).history
            guard history.legalOrder(toy, .linearizability) != nil else { continue }
            #expect(history.legalOrder(toy, .sequentialConsistency) != nil)
            #expect(history.legalOrder(toy, .quiescentConsistency) != nil)
        }
    }

    /// Thread 0 puts 1, then puts 2; afterwards thread 1 takes the answer.
    private func late(_ answer: Int?) -> ToyHistory {
        ToyHistory([
            [
                .init(.put(1), answer: .some(nil), returned: [0, 0]),
                .init(.put(2), answer: .some(nil), returned: [1, 0]),
            ],
            [.init(.take, answer: answer, returned: [1, 0])],
        ])
    }

    @Test func `only linearizability forbids a read of what was there before`() {
        let history = late(nil)
        #expect(history.legalOrder(Toy.register, .linearizability) == nil)
        #expect(history.legalOrder(Toy.register, .sequentialConsistency) != nil)
        // The read and the second write overlap, and neither the first write.
        #expect(history.legalOrder(Toy.register, .quiescentConsistency) == nil)
    }

    @Test func `the nearest legal order says what a call should have returned`() throws {
        let order = try #require(late(nil).nearestLegalOrder(Toy.register, .linearizability))
        #expect(order.mismatches == 1)
        let step = try #require(order.steps.first { $0.isOtherwise })
        #expect(step.place == .init(thread: 1, number: 0))
        #expect(step.answer == 1 || step.answer == 2)
    }

    @Test func `a call that waits although it could continue is wrong where no thread could continue`() {
        let waits = ToyHistory.Call(.take, answer: nil, returned: [0, 0])
        let history = ToyHistory([[.init(.put(1), answer: .some(nil), returned: [0, 0])], [waits]])
        #expect(history.legalOrder(Toy.waitingQueue, end: .open) != nil)
        #expect(history.legalOrder(Toy.waitingQueue, end: .stuck) == nil)
        #expect(ToyHistory([[waits], [waits]]).legalOrder(Toy.waitingQueue, end: .stuck) != nil)
    }
}
