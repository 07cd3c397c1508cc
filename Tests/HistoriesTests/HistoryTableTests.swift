import Histories
import Testing

@Suite struct HistoryTableTests {
    private func lines(_ history: ToyHistory) -> [String] {
        let operation = { (request: Toy.Request) -> String in
            switch request {
            case .put(let value): "put(\(value))"
            case .take: "take()"
            }
        }
        return HistoryTable(
            history, names: history.calls.indices.map { "thread \($0 + 1)" }, operation: operation,
            answer: { _, answer in answer.map { "\($0)" } ?? "" }
        ).lines
    }

    @Test func `a call that another one overlaps has a line for its return`() {
        let history = ToyHistory([
            [.init(.put(1), answer: .some(nil), returned: [0, 0])],
            [
                .init(.take, answer: 1, returned: [0, 0]), .init(.take, answer: .some(nil), returned: [1, 1]),
            ],
        ])
        #expect(
            lines(history) == [
                "thread 1    thread 2",
                "put(1) …",
                "            take() …",
                "… returns",
                "            … → 1",
                "            take()",
            ])
    }

    @Test func `calls one after the other have a line each`() {
        let history = ToyHistory([
            [.init(.put(1), answer: .some(nil), returned: [0, 0])], [.init(.take, answer: 1, returned: [1, 0])],
        ])
        #expect(lines(history) == ["thread 1   thread 2", "put(1)", "           take() → 1"])
    }

    @Test func `a call without a return says so`() {
        let history = ToyHistory([[.init(.take, answer: nil, returned: [0])]])
        #expect(lines(history) == ["thread 1", "take() … does not return"])
    }

    @Test func `every call and every order that was observed is in the table`() {
        var random = SplitMix(state: 3)
        for _ in 0..<500 {
            let history = TimedHistory.random(.queue, threads: 3, calls: 6, &random).history
            let text = lines(history).joined(separator: "\n")
            let count = text.split(whereSeparator: { $0 == "(" }).count - 1
            #expect(count == history.places.count)
        }
    }
}
