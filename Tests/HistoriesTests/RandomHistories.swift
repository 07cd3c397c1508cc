import Histories

/// Numbers that are the same in every run (Steele, Lea and Flood 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// An object of two operations, with or without waiting.
enum Toy: SequentialModel {
    case stack, queue, register, waitingQueue

    enum Request: Hashable {
        case put(Int)
        case take
    }

    /// Nil stands for nothing.
    typealias Reply = Int?

    var initial: [Int] { [] }

    func answer(_ operation: Request, in state: inout [Int]) -> Reply? {
        switch (self, operation) {
        case (.register, .put(let value)):
            state = [value]
            return .some(nil)
        case (.register, .take): return .some(state.last)
        case (_, .put(let value)):
            state.append(value)
            return .some(nil)
        case (.stack, .take): return .some(state.popLast())
        case (.queue, .take): return .some(state.isEmpty ? nil : state.removeFirst())
        case (.waitingQueue, .take): return state.isEmpty ? nil : .some(state.removeFirst())
        }
    }
}

typealias ToyHistory = History<Toy.Request, Toy.Reply>

/// A history together with the moments of its calls and returns, by which a judge can read it without vectors.
struct TimedHistory {
    var history: ToyHistory
    /// By thread and call: when it was made, and when it returned.
    var times: [[(call: Int, end: Int)]]

    /// Random calls that take effect at random moments, some of them with a wrong answer.
    static func random(_ toy: Toy, threads: Int, calls: Int, _ random: inout SplitMix) -> TimedHistory {
        var state = toy.initial
        var made = ToyHistory(Array(repeating: [], count: threads))
        var times = Array(repeating: [(call: Int, end: Int)](), count: threads)
        // Of the open call of each thread.
        var effects = [Toy.Reply??](repeating: nil, count: threads)
        var isOpen = [Bool](repeating: false, count: threads)
        var left = calls
        for moment in 0..<calls * 6 {
            let thread = Int.random(in: 0..<threads, using: &random)
            if !isOpen[thread] {
                if left == 0 { continue }
                left -= 1
                let request: Toy.Request =
                    Bool.random(using: &random) ? .take : .put(Int.random(in: 1...2, using: &random))
                let returned = made.calls.map { $0.count { $0.answer != nil } }
                made.calls[thread].append(.init(request, answer: nil, returned: returned))
                times[thread].append((moment, .max))
                isOpen[thread] = true
            } else if let effect = effects[thread] {
                made.calls[thread][made.calls[thread].count - 1].answer = effect
                times[thread][times[thread].count - 1].end = moment
                effects[thread] = nil
                isOpen[thread] = false
            } else {
                let request = made.calls[thread].last!.operation
                guard var reply = toy.answer(request, in: &state) else { continue }
                if Int.random(in: 0..<6, using: &random) == 0 { reply = [nil, 1, 2].randomElement(using: &random)! }
                effects[thread] = reply
            }
        }
        return TimedHistory(history: made, times: times)
    }
}

/// Judges a history by trying all orders of all subsets of its calls that may have taken effect.
struct NaiveJudge {
    let toy: Toy
    let timed: TimedHistory

    func accepts(_ criterion: Criterion, end: HistoryEnd) -> Bool {
        let places = timed.history.places
        return tryAll(places, [], criterion, end)
    }

    private func tryAll(
        _ rest: [ToyHistory.Place], _ order: [ToyHistory.Place], _ criterion: Criterion, _ end: HistoryEnd
    ) -> Bool {
        if rest.allSatisfy({ timed.history[$0].answer == nil }), isLegal(order, rest, criterion, end) { return true }
        return rest.contains { place in
            (end == .open || timed.history[place].answer != nil)
                && tryAll(rest.filter { $0 != place }, order + [place], criterion, end)
        }
    }

    private func isLegal(
        _ order: [ToyHistory.Place], _ rest: [ToyHistory.Place], _ criterion: Criterion, _ end: HistoryEnd
    ) -> Bool {
        var state = toy.initial
        for place in order {
            guard let answer = toy.answer(timed.history[place].operation, in: &state) else { return false }
            if let found = timed.history[place].answer, found != answer { return false }
        }
        for (later, place) in order.enumerated() {
            for earlier in order[..<later] where must(place, comeBefore: earlier, criterion) { return false }
            // What did not take effect cannot be before what did.
            for other in rest where must(other, comeBefore: place, criterion) { return false }
        }
        guard end == .stuck else { return true }
        return rest.allSatisfy { place in
            var copy = state
            return toy.answer(timed.history[place].operation, in: &copy) == nil
        }
    }

    private func must(_ first: ToyHistory.Place, comeBefore second: ToyHistory.Place, _ criterion: Criterion) -> Bool {
        let (a, b) = (timed.times[first.thread][first.number], timed.times[second.thread][second.number])
        switch criterion {
        case .linearizability: return a.end < b.call
        case .sequentialConsistency: return first.thread == second.thread && first.number < second.number
        case .quiescentConsistency:
            let all = timed.times.flatMap(\.self)
            return a.end < b.call
                && (a.end..<b.call).contains { moment in
                    !all.contains { $0.call <= moment && moment < $0.end }
                }
        }
    }
}
