/// An order of a history's calls in which the sequential model can take them one at a time.
package struct LegalOrder<Place: Hashable & Sendable, Answer> {
    package struct Step {
        /// The call.
        package var place: Place
        /// The model's answer.
        package var answer: Answer
        /// Whether the call returned something other than the model's answer.
        package var isOtherwise: Bool
    }

    package var steps: [Step]

    /// The number of calls that returned something other than the model's answer.
    package var mismatches: Int { steps.count { $0.isOtherwise } }
}

/// What is known of the calls that have not returned when a history ends.
package enum HistoryEnd: Sendable {
    /// Some calls may not have returned yet: each of them may have taken effect or not.
    case open
    /// No thread could continue: a call that has not returned has taken no effect, and has to wait in the model's last
    /// state.
    case stuck
}

extension History {
    package typealias Order = LegalOrder<Place, Answer>

    /// The maximum number of calls in a history that is examined: sets of calls are 64-bit words.
    package static var mostCalls: Int { 64 }

    /// An order of all calls that have returned, and perhaps of some of the others, in which the model gives the same
    /// answers.
    ///
    /// - Returns: nil if there is none: the history violates the criterion.
    package func legalOrder<Model: SequentialModel>(
        _ model: Model, _ criterion: Criterion = .linearizability, end: HistoryEnd = .open
    ) -> Order? where Model.Operation == Operation, Model.Answer == Answer {
        var search = LegalOrderSearch(self, model, criterion, end)
        return search.order(mismatches: 0)
    }

    /// An order that the criterion allows, in which as few calls as possible differ from the model's answers.
    ///
    /// - Returns: nil if there is none, whatever the answers: in each order a call that has returned would have to
    ///   wait or, if the history is stuck, a call that waits could return.
    package func nearestLegalOrder<Model: SequentialModel>(
        _ model: Model, _ criterion: Criterion = .linearizability, end: HistoryEnd = .open
    ) -> Order? where Model.Operation == Operation, Model.Answer == Answer {
        var search = LegalOrderSearch(self, model, criterion, end)
        for mismatches in 0...places.count {
            if let order = search.order(mismatches: mismatches) { return order }
        }
        return nil
    }
}

/// Looks for a legal order depth first (Wing and Gong 1993). Never continues twice from the same set of taken calls in
/// the same state of the model (Lowe 2017), with the same number of mismatches left.
private struct LegalOrderSearch<Model: SequentialModel> {
    typealias Calls = History<Model.Operation, Model.Answer>

    private struct Position: Hashable {
        var taken: UInt64
        var state: Model.State
        var mismatches: Int
    }

    private let model: Model
    private let places: [Calls.Place]
    private let calls: [Calls.Call]
    /// By call: the calls that must come before it, as bits.
    private let earlier: [UInt64]
    /// The calls that have returned, as bits. All of them must be in the order.
    private let returned: UInt64
    private let end: HistoryEnd
    private var visited: Set<Position> = []
    private var steps: [Calls.Order.Step] = []

    init(_ history: Calls, _ model: Model, _ criterion: Criterion, _ end: HistoryEnd) {
        precondition(history.places.count <= Calls.mostCalls, "a history has at most \(Calls.mostCalls) calls")
        self.model = model
        self.end = end
        places = history.places
        let calls = places.map { history[$0] }
        self.calls = calls
        earlier = criterion.earlier(in: history)
        returned = calls.indices.reduce(UInt64(0)) { calls[$1].answer == nil ? $0 : $0 | 1 << UInt64($1) }
    }

    /// An order in which at most this number of calls returned something other than the model's answer. Nil: there is
    /// none.
    mutating func order(mismatches: Int) -> Calls.Order? {
        visited = []
        steps = []
        return extend(0, model.initial, mismatches) ? Calls.Order(steps: steps) : nil
    }

    /// Whether the order can be completed. If so, `steps` is the completed order.
    ///
    /// - Parameters:
    ///   - taken: the calls that are in the order already, as bits.
    ///   - mismatches: the number of further calls that may differ from the model's answers.
    private mutating func extend(_ taken: UInt64, _ state: Model.State, _ mismatches: Int) -> Bool {
        if taken & returned == returned, mayEnd(in: state) { return true }
        guard visited.insert(Position(taken: taken, state: state, mismatches: mismatches)).inserted else {
            return false
        }
        for call in calls.indices where mayTakeEffect(call, after: taken) {
            var next = state
            guard let answer = model.answer(calls[call].operation, in: &next) else { continue }
            let isOtherwise = calls[call].answer.map { $0 != answer } ?? false
            if isOtherwise && mismatches == 0 { continue }
            steps.append(Calls.Order.Step(place: places[call], answer: answer, isOtherwise: isOtherwise))
            if extend(taken | 1 << UInt64(call), next, mismatches - (isOtherwise ? 1 : 0)) { return true }
            steps.removeLast()
        }
        return false
    }

    /// Whether the call can be the next one in the order.
    private func mayTakeEffect(_ call: Int, after taken: UInt64) -> Bool {
        taken & 1 << UInt64(call) == 0 && earlier[call] & ~taken == 0 && (end == .open || calls[call].answer != nil)
    }

    /// Whether a history may end in this state of the model, after all calls that have returned. If it is stuck, each
    /// call without a return has to wait in this state.
    private func mayEnd(in state: Model.State) -> Bool {
        if end == .open { return true }
        return calls.allSatisfy { call in
            var next = state
            return call.answer != nil || model.answer(call.operation, in: &next) == nil
        }
    }
}
