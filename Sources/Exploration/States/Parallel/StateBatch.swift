import Machine

/// Expands many states at once, with several threads. The result is what it would be if they were expanded one after the
/// other: the same states with the same numbers, the same edges, and the same tables.
///
/// The threads only look up what the tables of the space know. A state with a step that they do not know is left to the one
/// thread that has the machine, which expands such states in their order before any state is looked up. New states get their
/// numbers in the order of the moves that lead to them. Two things are left out: a batch with an end of an execution, or with a
/// race between neighbors, is expanded state by state instead.
///
/// Until the new states have their numbers, a move is known by a provisional one: it is greater than those of all states, and
/// follows from the place of the move in the batch.
final class StateBatch {
    private struct Part: BitwiseCopyable {
        /// The number of the thread that has found its moves.
        var finder = 0
        /// The first of them, and their number.
        var first = 0
        var count = 0
        /// A bit for each thread that can step when time has passed.
        var deadlines: UInt64 = 0
        /// How many states it has found; then the number of the first; then the place of its first edge.
        var new = 0
        var isEnd = false
        var isOpen = false

        var edgeCount: Int { count + deadlines.nonzeroBitCount }
    }

    private let team: WorkerTeam
    /// By thread; the last one has the machine.
    @exclusivity(unchecked) private var finders: [FoundMoves] = []
    /// Theirs, when all moves have been found.
    private let views: OwnedBuffer<FoundMoves.View>
    private let parts = OwnedBuffer<Part>(capacity: most)
    private let space: StateSpace
    /// Whether no two threads may be about to access the same cell.
    private let looksForRaces: Bool
    /// The first state.
    @exclusivity(unchecked) private var first = 0
    @exclusivity(unchecked) private var count = 0
    /// The first provisional number.
    @exclusivity(unchecked) private var provisional = 0
    /// How many batches are not worth trying, because the last ones failed.
    @exclusivity(unchecked) private var pause = 0
    @exclusivity(unchecked) private var nextPause = 1

    /// Of states.
    static let most = 1 << 12
    private static let piece = 32
    private static let mostMovesBits = 12
    private static let longestPause = 64

    /// Nil: the states of this space can only be expanded by one thread.
    init?(_ space: StateSpace, looksForRaces: Bool, _ team: WorkerTeam) {
        guard space.remembers, space.subject.mostThreads <= 64,
            !space.keepsThreads || !space.subject.hasExpectations
        else { return nil }
        self.space = space
        self.team = team
        self.looksForRaces = looksForRaces
        views = OwnedBuffer(capacity: team.size + 1)
        finders = (0...team.size).map { FoundMoves($0 < team.size ? StateSpace(helping: space) : space) }
    }

    /// Expands states.
    ///
    /// - Returns: the number of states that were expanded, without those in which an execution has ended. 0: none could be.
    func expand(_ range: Range<Int>, _ states: inout StateTable, _ graph: inout StateGraph) -> Int {
        if pause > 0 {
            pause -= 1
            return 0
        }
        (first, count, provisional) = (range.lowerBound, range.count, states.count)
        findMoves(states.rows)
        let left = findWhatIsLeft(states)
        rest(after: left)
        guard left != nil else { return 0 }
        for (number, finder) in finders.enumerated() { views.base[number] = finder.view }
        let moves = (0..<count).reduce(0) { $0 + parts.base[$1].count }
        states.reserve(moves, team)
        lookUp(states.rows, states.sharedIndex)
        let new = numberNewStates(states.count)
        states.add(new)
        setRows(states.rows, states.sharedIndex)
        setEdges(&graph)
        return count - (0..<count).reduce(0) { $0 + (parts.base[$1].isEnd ? 1 : 0) }
    }

    /// If much was left to one thread, the next states are too.
    private func rest(after left: Int?) {
        if let left, left <= count / 4 {
            nextPause = 1
        } else {
            pause = nextPause
            nextPause = min(2 * nextPause, Self.longestPause)
        }
    }

    // MARK: - Moves

    private func findMoves(_ rows: StateRows) {
        for finder in finders { finder.removeAll(after: 0) }
        let end = space.width - 1
        let parts = self.parts.base
        team.forEachPiece(of: count, size: Self.piece) { worker, piece in
            let finder = finders[worker]
            let space = finder.space
            for i in piece {
                let row = rows[first + i]
                var part = Part(finder: worker, first: finder.count)
                if row[end] != 0 {
                    part.isEnd = true
                } else {
                    space.isAtLoss = false
                    finder.find(from: row)
                    if space.isAtLoss {
                        finder.removeAll(after: part.first)
                        part.isOpen = true
                    } else {
                        part.count = finder.count - part.first
                    }
                    if space.keepsThreads {
                        for thread in 0..<space.threadCount where space.hasDeadline(thread) {
                            part.deadlines |= 1 << UInt64(thread)
                        }
                    }
                    if looksForRaces && space.accessesAreAdjacent { part.new = -1 }
                }
                parts[i] = part
            }
        }
    }

    /// Finds the moves that need the machine.
    ///
    /// - Returns: from how many states. Nil: the batch must be expanded state by state.
    private func findWhatIsLeft(_ states: borrowing StateTable) -> Int? {
        let counts = (space.moveCount, space.machineMoveCount)
        let finder = finders[team.size]
        let end = space.width - 1
        var left = 0
        var moves = 0
        for i in 0..<count {
            var isPlain = parts.base[i].new == 0
            if parts.base[i].isOpen && isPlain {
                left += 1
                parts.base[i].finder = team.size
                parts.base[i].first = finder.count
                finder.find(from: states.row(first + i))
                parts.base[i].count = finder.count - parts.base[i].first
                let view = finder.view
                for move in parts.base[i].first..<finder.count where view.row(move)[end] != 0 {
                    if !states.contains(view.row(move), hash: view.move(move).pointee.hash) { isPlain = false }
                }
            } else {
                moves += parts.base[i].count
            }
            if !isPlain || parts.base[i].count >= 1 << Self.mostMovesBits {
                (space.moveCount, space.machineMoveCount) = counts
                return nil
            }
        }
        space.moveCount += moves
        for helper in finders.dropLast() {
            if helper.space.hasLooped { space.hasLooped = true }
            if helper.space.hasFoundUnordered { space.hasFoundUnordered = true }
        }
        return left
    }

    // MARK: - States

    @inline(__always) private func number(_ part: Int, _ move: Int) -> Int {
        provisional + part << Self.mostMovesBits + move
    }

    @inline(__always) private func place(of number: Int) -> (part: UnsafeMutablePointer<Part>, move: Int) {
        let place = number - provisional
        return (parts.base + place >> Self.mostMovesBits, place & (1 << Self.mostMovesBits - 1))
    }

    /// Finds out where in the index the states are that the moves lead to, and which move to each is the first.
    private func lookUp(_ rows: StateRows, _ index: SharedIndex) {
        team.forEachPiece(of: count, size: Self.piece) { _, piece in
            prepare(piece, index, rows)
            forEachMove(of: piece) { part, i, finder, move in
                let row = finder.row(move)
                finder.move(move).pointee.target = index.add(finder.move(move).pointee.hash, number(part, i)) {
                    isRow($0, row, rows)
                }
            }
        }
        let parts = self.parts.base
        team.forEachPiece(of: count, size: Self.piece) { _, piece in
            for part in piece { parts[part].new = 0 }
            forEachMove(of: piece) { part, i, finder, move in
                let target = index.number(at: finder.move(move).pointee.target)
                if target == number(part, i) {
                    // Its target is still the place in the index.
                    finder.move(move).pointee.isNew = true
                    parts[part].new += 1
                } else {
                    finder.move(move).pointee.target = target
                }
            }
        }
    }

    /// Reads what will be looked up, so that many entries are loaded at the same time: see `PendingMoves`.
    private func prepare(_ piece: Range<Int>, _ index: SharedIndex, _ rows: StateRows) {
        forEachMove(of: piece) { _, _, finder, move in
            finder.move(move).pointee.target = index.guess(finder.move(move).pointee.hash)
        }
        forEachMove(of: piece) { _, _, finder, move in
            let guess = finder.move(move).pointee.target
            if guess >= 0 && guess < provisional {
                finder.move(move).pointee.isNew = rows[guess][0] == .max
            }
        }
    }

    @inline(__always)
    private func isRow(_ number: Int, _ row: UnsafePointer<UInt32>, _ rows: StateRows) -> Bool {
        if number < provisional { return rows.equals(number, row) }
        let (part, move) = place(of: number)
        let other = views.base[part.pointee.finder].row(part.pointee.first + move)
        return StateRows.equals(other, row, space.width)
    }

    /// - Parameter next: the first number for a new state.
    /// - Returns: the number of new states.
    private func numberNewStates(_ next: Int) -> Int {
        var number = next
        for part in 0..<count {
            let new = parts.base[part].new
            parts.base[part].new = number
            number += new
        }
        return number - next
    }

    private func setRows(_ rows: StateRows, _ index: SharedIndex) {
        team.forEachPiece(of: count, size: Self.piece) { _, piece in
            for part in piece {
                var number = parts.base[part].new
                forEachMove(of: part..<part + 1) { _, _, finder, place in
                    let move = finder.move(place)
                    if !move.pointee.isNew { return }
                    index.set(number, at: move.pointee.target)
                    rows.set(number, finder.row(place), from: first + part, by: move.pointee.move)
                    move.pointee.target = number
                    number += 1
                }
            }
        }
    }

    // MARK: - Edges

    private func setEdges(_ graph: inout StateGraph) {
        while count > 0 && parts.base[count - 1].isEnd { count -= 1 }
        graph.add(first..<first + count)
        for part in 0..<count { parts.base[part].new = graph.reserve(parts.base[part].edgeCount) }
        let view = graph.view
        team.forEachPiece(of: count, size: Self.piece) { _, piece in
            for part in piece {
                var edge = view.place(first + part, parts.base[part].new, count: parts.base[part].edgeCount)
                var deadlines = parts.base[part].deadlines
                while deadlines != 0 {
                    edge.pointee = .deadline(of: deadlines.trailingZeroBitCount)
                    edge += 1
                    deadlines &= deadlines - 1
                }
                forEachMove(of: part..<part + 1) { _, _, finder, move in
                    edge.pointee = self.edge(finder.move(move).pointee)
                    edge += 1
                }
            }
        }
    }

    private func edge(_ move: FoundMoves.Move) -> StateGraph.Edge {
        var target = move.target
        if !move.isNew && target >= provisional {
            let (part, place) = place(of: target)
            target = views.base[part.pointee.finder].move(part.pointee.first + place).pointee.target
        }
        return .init(
            to: target, by: move.move == .passTime ? 0 : move.move.thread, isBranch: move.isBranch,
            isProgress: move.isProgress)
    }

    // MARK: - Parts

    @inline(__always)
    private func forEachMove(of piece: Range<Int>, _ body: (Int, Int, FoundMoves.View, Int) -> Void) {
        for part in piece {
            let finder = views.base[parts.base[part].finder]
            for i in 0..<parts.base[part].count { body(part, i, finder, parts.base[part].first + i) }
        }
    }
}
