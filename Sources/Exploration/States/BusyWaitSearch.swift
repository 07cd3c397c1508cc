import Machine

/// Looks for busy waiting: a state of some execution to which one thread alone returns by its own steps and the passing
/// of time, without having done what it loops for.
///
/// Visits all states, without reduction. From each state, each thread is followed alone. The states of such a walk need
/// not occur in an execution, since time passes although other threads could step.
package final class BusyWaitSearch {
    package enum Result {
        case none
        /// The step that closes the round, in words, and its line; and a schedule that leads to a state from which the
        /// thread was followed alone and then, unless time passes on the way, to the end of the round.
        case found(step: String, line: Int, Schedule)
        /// There are too many states, or the search was stopped.
        case unknown
    }

    /// A state in which a thread is followed alone.
    private struct Key: Hashable {
        let thread: Int
        let row: [UInt32]
    }

    /// How far the search is with a state: it is on the present path, or all that the thread can do from it has been
    /// followed.
    private enum Status { case open, done }

    private let subject: any StatefulSubject
    private let space: StateSpace
    private let walk: StateWalk
    private let rules: Rules
    private let most: Int
    private var statuses: [Key: Status] = [:]
    /// Whether a limit was reached.
    private var isGivenUp = false

    /// - Parameter most: the maximum number of states.
    package init(_ subject: any StatefulSubject, _ rules: Rules, most: Int) {
        self.subject = subject
        self.rules = rules
        self.most = most
        // Counters are left out of states: a thread that counts its rounds is busy waiting all the same.
        space = StateSpace(subject, rules, isReduced: false, exchanges: false, forgetsCounters: true)
        walk = StateWalk(space, isDepthFirst: false)
    }

    package func run(isStopped: () -> Bool) -> Result {
        walk.begin { _ in }
        var count = 0
        while let number = walk.next() {
            count += 1
            if walk.states.count > most || count % Self.statesPerCheck == 0 && isStopped() { return .unknown }
            let row = walk.row(of: number)
            for thread in 0..<space.threadCount {
                let moves = round(of: thread, from: row, isStopped)
                if isGivenUp { return .unknown }
                if let moves { return found(thread, number, moves) }
            }
            space.enter(walk.states.row(number))
            walk.expand(number) { _ in }
        }
        return .none
    }

    /// The result, if these moves of the thread lead from the state with this number into a round, which the last move
    /// closes.
    private func found(_ thread: Int, _ number: Int, _ moves: [(row: [UInt32], move: StateMove)]) -> Result {
        guard let last = moves.last else { return .unknown }
        last.row.withUnsafeBufferPointer { space.load($0.baseAddress!) }
        let step = subject.nextStepInWords(of: thread)
        let line = subject.lineOfNextStep(of: thread)
        let start = walk.schedule(to: number, rules.fairness)
        if moves.contains(where: { $0.move == .passTime }) { return .found(step: step, line: line, start) }
        var choices = start.choices
        for (row, move) in moves {
            row.withUnsafeBufferPointer { space.load($0.baseAddress!) }
            choices.append(.thread(UInt16(thread)))
            if subject.machine.alternatives(of: thread) > 1 { choices.append(.alternative(move.way)) }
        }
        return .found(step: step, line: line, Schedule(choices))
    }

    /// The limit of steps for which a thread is followed alone.
    private static let longestWalk = 10_000
    /// After this number of states, the search asks whether to stop.
    private static let statesPerCheck = 64
    /// Before each multiple of this number of steps of one thread, the search asks whether to stop.
    private static let stepsPerCheck = 256

    /// A path on which the thread alone returns to a state of the path. Nil: there is none from this state.
    private func round(
        of thread: Int, from start: [UInt32], _ isStopped: () -> Bool
    ) -> [(row: [UInt32], move: StateMove)]? {
        typealias Step = (row: [UInt32], move: StateMove)
        if statuses[Key(thread: thread, row: start)] != nil { return nil }
        var path: [(row: [UInt32], next: [Step], place: Int)] = []
        func enter(_ row: [UInt32]) {
            statuses[Key(thread: thread, row: row)] = .open
            path.append((row, moves(of: thread, from: row), 0))
        }
        enter(start)
        while var top = path.popLast() {
            // A thread that is followed alone may reach new states without end.
            let isCheckDue = (path.count + 1) % Self.stepsPerCheck == 0
            if statuses.count > 2 * most || path.count > Self.longestWalk || isCheckDue && isStopped() {
                isGivenUp = true
                return nil
            }
            guard top.place < top.next.count else {
                statuses[Key(thread: thread, row: top.row)] = .done
                continue
            }
            let next = top.next[top.place]
            top.place += 1
            path.append(top)
            switch statuses[Key(thread: thread, row: next.row)] {
            case .open?: return path.map { ($0.row, $0.next[$0.place - 1].move) }
            case .done?: break
            case nil: enter(next.row)
            }
        }
        return nil
    }

    /// What the thread can do alone in the state without making progress, and the states to which that leads.
    private func moves(of thread: Int, from row: [UInt32]) -> [(row: [UInt32], move: StateMove)] {
        var moves: [(row: [UInt32], move: StateMove)] = []
        row.withUnsafeBufferPointer { space.load($0.baseAddress!) }
        guard space.verdict(of: row) == nil, thread < space.threadCount else { return [] }
        space.forEachMove(of: thread) { move, next in
            if space.isProgress { return }
            moves.append((Array(UnsafeBufferPointer(start: next, count: space.width)), move))
        }
        return moves
    }
}

extension StateSpace {
    /// Visits the states to which the thread's step leads; if the thread is blocked and waits for time, those to which
    /// the passing of time leads.
    fileprivate func forEachMove(of thread: Int, _ visit: Visitor) {
        loadNow()
        if machine.isEnabled(thread) {
            follow(thread, visit)
        } else if hasDeadline(thread) {
            passTime(visit)
        }
    }
}
