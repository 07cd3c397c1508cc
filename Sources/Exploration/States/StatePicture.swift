import Machine
import Trace

/// The states of a small program and the steps between them, to be drawn.
package struct StatePicture: Sendable {
    package struct State: Sendable {
        /// The values of memory, in words.
        package let memory: [String]
        /// How an execution ends in this state. Nil: it continues.
        package let outcome: OutcomeKind?
        /// Whether the state is on the path to the first failure.
        package fileprivate(set) var isOnPath = false
    }

    package struct Step: Sendable {
        package let from: Int
        package let to: Int
        /// The steps in words. There is more than one if states between them were left out.
        package fileprivate(set) var texts: [String]
        package fileprivate(set) var isOnPath = false
    }

    /// By number; the first is the initial state. Nil: left out, because only one thing can happen there.
    package private(set) var states: [State?] = []
    package private(set) var steps: [Step] = []
    /// Whether there are more states than the maximum.
    package private(set) var isIncomplete = false

    /// - Parameters:
    ///   - isReduced: whether orders of steps that make no difference are left out.
    ///   - most: the maximum number of states.
    package init(_ subject: any StatefulSubject, _ rules: Rules, isReduced: Bool, most: Int) {
        let space = StateSpace(subject, rules, isReduced: isReduced, exchanges: false)
        var table = StateTable(width: space.width)
        var origins: [Int?] = [nil]
        // The initial state's origin is not used.
        _ = table.add(space.begin(), from: 0, by: .passTime)
        var next = 0
        var firstFailure: Int?
        while next < table.count {
            guard table.count <= most else {
                isIncomplete = true
                return
            }
            let row = table.row(next)
            let outcome = space.verdict(of: row)?.outcome
            space.load(row)
            states.append(State(memory: subject.memoryInWords, outcome: outcome))
            if outcome == nil {
                let words = (0..<subject.machine.threadCount).map { subject.nextStepInWords(of: $0) }
                space.forEachMove { move, targetRow in
                    let (target, isNew) = table.add(targetRow, from: next, by: move)
                    if isNew { origins.append(steps.count) }
                    let text = move == .passTime ? "time passes" : words[move.thread]
                    steps.append(Step(from: next, to: target, texts: [text]))
                }
            } else if outcome != .completed, firstFailure == nil {
                firstFailure = next
            }
            next += 1
        }
        if let firstFailure { markPath(to: firstFailure, origins) }
        fold()
    }

    /// Marks the path by which the state was found.
    ///
    /// - Parameter origins: by state, the index of the step by which it was found.
    private mutating func markPath(to state: Int, _ origins: [Int?]) {
        var state = state
        states[state]?.isOnPath = true
        while let step = origins[state] {
            steps[step].isOnPath = true
            state = steps[step].from
            states[state]?.isOnPath = true
        }
    }

    /// Leaves out states to which exactly one step leads and which exactly one step leaves: joins the two steps.
    private mutating func fold() {
        var entering = [[Int]](repeating: [], count: states.count)
        var leaving = entering
        for (number, step) in steps.enumerated() {
            entering[step.to].append(number)
            leaving[step.from].append(number)
        }
        var isGone = [Bool](repeating: false, count: steps.count)
        for state in states.indices.dropFirst() where entering[state].count == 1 && leaving[state].count == 1 {
            let (first, second) = (entering[state][0], leaving[state][0])
            // A step from the state to itself is not joined.
            guard first != second, steps[first].from != state, steps[first].isOnPath == steps[second].isOnPath,
                steps[first].texts.count + steps[second].texts.count <= Self.mostTexts
            else { continue }
            states[state] = nil
            isGone[first] = true
            steps[second] = Step(
                from: steps[first].from, to: steps[second].to, texts: steps[first].texts + steps[second].texts,
                isOnPath: steps[second].isOnPath)
            let source = steps[second].from
            leaving[source] = leaving[source].map { $0 == first ? second : $0 }
        }
        steps = steps.enumerated().filter { !isGone[$0.offset] }.map(\.element)
    }

    /// The maximum number of steps that are joined to one.
    private static let mostTexts = 8
}
