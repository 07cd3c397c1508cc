import Machine

/// Turns a path of moves into a schedule that the program can follow.
///
/// Along a path, exchangeable threads change places, so a move's thread is a place in the row and not one thread of an
/// execution. For each move, the thread of the execution is found that is in the same state.
extension StateSpace {
    /// The schedule of an execution that takes these moves from the beginning. Each move comes with the row of the
    /// state that it leaves, in which exchangeable threads may be in another order than in the execution.
    func schedule(of moves: [(row: [UInt32], move: StateMove)]) -> Schedule {
        isLoaded = false
        subject.beginStates()
        var choices: [Schedule.Choice] = []
        // The main thread joins exchangeable threads in the order of their numbers, which the path need not keep.
        // `owed`: the number of its joins on the path so far that it could not take yet. `early`: the number that it
        // has taken before their moves, because time does not pass while it can take one.
        var owed = 0
        var early = 0
        func take(_ thread: Int, way: Int) {
            if isQuiet { choices.append(.alternative(1)) }
            choices.append(.thread(UInt16(thread)))
            if machine.alternatives(of: thread) > 1 { choices.append(.alternative(way)) }
            subject.take(thread, way: way)
        }
        func catchUp() {
            while owed > 0 && machine.isEnabled(0) {
                take(0, way: 0)
                owed -= 1
            }
        }
        for (row, move) in moves {
            if move == .passTime {
                choices.append(.alternative(0))
                subject.passTime()
                continue
            }
            guard move.thread == 0 else {
                var actor = actor(of: move, in: row)
                if actor == nil && owed > 0 {
                    catchUp()
                    actor = self.actor(of: move, in: row)
                }
                while actor == nil && isJoinOfExchanged && machine.isEnabled(0) {
                    take(0, way: 0)
                    early += 1
                    actor = self.actor(of: move, in: row)
                }
                guard let actor else { preconditionFailure("no thread is in the place of the one that moves") }
                take(actor, way: move.way)
                continue
            }
            if early > 0 {
                early -= 1
                continue
            }
            catchUp()
            if owed > 0 || (isJoinOfExchanged && !machine.isEnabled(0)) {
                owed += 1
            } else {
                take(0, way: move.way)
            }
        }
        catchUp()
        return Schedule(choices)
    }

    /// What `goBack(to:)` restores if other states are entered while the moves of a state are visited.
    var place: (present: [UInt32], enabled: [UInt16], moveCount: Int) {
        ((0..<width).map { present[$0] }, (0..<width).map { enabled[$0] }, moveCount)
    }

    func goBack(to place: (present: [UInt32], enabled: [UInt16], moveCount: Int)) {
        for (thread, number) in place.enabled.enumerated() { enabled[thread] = number }
        moveCount = place.moveCount
        load(place.present)
    }

    /// Whether all that can happen now is that waits end without a signal, so that the schedule first has to say so.
    private var isQuiet: Bool {
        guard rules.spuriousWakeups > 0 else { return false }
        let count = machine.enabledThreads(into: enabledOnPath.base)
        return machine.isQuiet(UnsafeBufferPointer(start: enabledOnPath.base, count: count))
    }

    /// Whether the main thread is about to join an exchangeable thread.
    private var isJoinOfExchanged: Bool {
        let operation = machine.operation(of: 0)
        return operation.kind == .join && exchangeable.contains { $0.contains(operation.a) }
    }

    /// The thread of the execution that is in the state of the move's thread in the row. Nil: none is.
    private func actor(of move: StateMove, in row: [UInt32]) -> Int? {
        guard let range = exchangeable.first(where: { $0.contains(move.thread) }) else { return move.thread }
        for thread in range {
            let length = subject.encode(thread + 1, into: scratch.base)
            if number(thread + 1, length) == row[move.thread + 1] { return thread }
        }
        return nil
    }
}
