/// A history as text for people: a column for each thread, with time from top to bottom. `…` marks a call that does not
/// return in its own row, and the row of its return, if it returns.
///
/// ```text
/// thread 1      thread 2
/// push(1) …
///               pop() → nil
/// … → true
/// ```
package struct HistoryTable {
    package let lines: [String]

    /// The number of spaces after the longest text of a column.
    private static let gap = 3

    /// - Parameters:
    ///   - names: the threads' names.
    ///   - operation: the text of a call.
    ///   - answer: the text of an answer; empty if there is nothing to show.
    package init<Operation, Answer>(
        _ history: History<Operation, Answer>, names: [String], operation: (Operation) -> String,
        answer: (Operation, Answer) -> String
    ) {
        let moments = Moments(history).all
        var rows: [(thread: Int, text: String)] = []
        for (index, moment) in moments.enumerated() {
            let call = history[moment.place]
            let words = call.answer.map { answer(call.operation, $0) } ?? ""
            let result = words.isEmpty ? "" : " → \(words)"
            let next = moments.indices.contains(index + 1) ? moments[index + 1] : nil
            let previous = index > 0 ? moments[index - 1] : nil
            if moment.isReturn {
                // The call's row, right above, shows the answer already.
                if previous?.place == moment.place { continue }
                rows.append((moment.place.thread, "…" + (result.isEmpty ? " returns" : result)))
            } else if next?.place == moment.place {
                rows.append((moment.place.thread, operation(call.operation) + result))
            } else {
                let isOpen = call.answer == nil
                rows.append((moment.place.thread, operation(call.operation) + (isOpen ? " … does not return" : " …")))
            }
        }
        let widths = names.indices.map { thread in
            rows.filter { $0.thread == thread }.map(\.text.count).reduce(names[thread].count, max) + Self.gap
        }
        let columns = { (texts: [String]) -> String in
            let line = texts.enumerated().map { index, text in
                text + String(repeating: " ", count: widths[index] - text.count)
            }.joined()
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        lines =
            [columns(names)]
            + rows.map { row in columns(names.indices.map { $0 == row.thread ? row.text : "" }) }
    }
}

/// Puts the calls and returns of a history into one order. A return comes before a call that was seen to be made after
/// it; otherwise returns come late, so that calls overlap.
private struct Moments<Operation, Answer> {
    typealias Place = History<Operation, Answer>.Place

    struct Moment {
        var place: Place
        var isReturn: Bool
    }

    private(set) var all: [Moment] = []
    private let history: History<Operation, Answer>
    /// By thread: the number of its calls, and of its returns, so far.
    private var made: [Int]
    private var returned: [Int]

    init(_ history: History<Operation, Answer>) {
        self.history = history
        made = history.calls.map { _ in 0 }
        returned = made
        while true {
            if let call = nextCall {
                all.append(Moment(place: call, isReturn: false))
                made[call.thread] += 1
            } else if let call = nextReturn {
                all.append(Moment(place: call, isReturn: true))
                returned[call.thread] += 1
            } else {
                return
            }
        }
    }

    /// The next call of each thread that is not in a call.
    private var waiting: [Place] {
        made.indices.filter { made[$0] < history.calls[$0].count && returned[$0] == made[$0] }
            .map { Place(thread: $0, number: made[$0]) }
    }

    /// The returns for which this call waits, the next one of each thread.
    private func missing(_ call: Place) -> [Place] {
        made.indices.filter { $0 != call.thread && returned[$0] < returnsSeen(by: call, of: $0) }
            .map { Place(thread: $0, number: returned[$0]) }
    }

    /// The number of the thread's calls that were seen to return before this call was made.
    private func returnsSeen(by call: Place, of thread: Int) -> Int {
        let seen = history[call].returned
        return seen.indices.contains(thread) ? min(seen[thread], history.calls[thread].count) : 0
    }

    /// A call that can be made now.
    private var nextCall: Place? { waiting.first { missing($0).isEmpty } }

    /// The next return: if possible, one of the `missing` returns of the call that has the fewest of them, otherwise
    /// any. Nil: no open call returns.
    private var nextReturn: Place? {
        let open = made.indices.filter { returned[$0] < made[$0] && history.calls[$0][returned[$0]].answer != nil }
            .map { Place(thread: $0, number: returned[$0]) }
        let needed = waiting.map(missing).min { $0.count < $1.count } ?? []
        return open.first { needed.contains($0) } ?? open.first
    }
}
