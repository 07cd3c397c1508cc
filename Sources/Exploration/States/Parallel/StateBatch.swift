import Machine

/// Expands many states at once, with several threads. The result is what it would be if they were expanded one after the
/// other: the same states with the same numbers, the same edges, and the same tables.
///
/// The threads only look up what the tables of the space know. A state with a step that they do not know is left to the one
/// thread that has the machine, which expands such states in their order. New states get their numbers in the order of the
/// moves that lead to them. A batch ends before a state in which an execution can end in a way that is not known yet, and
/// before a race between neighbors: such a state is to be expanded alone.
///
/// Until the new states have their numbers, a move is known by a provisional one: it is greater than those of all states, and
/// follows from the place of the move in the batch. So each piece of the batch is found and looked up at once, while it is in
/// the cache of its processor, and the threads wait for each other three times in a batch.
final class StateBatch {
    private let team: WorkerTeam
    /// By thread; the last one has the machine.
    @exclusivity(unchecked) private var finders: [FoundMoves] = []
    /// Theirs.
    private let views: OwnedBuffer<FoundMoves.View>
    private let parts = OwnedBuffer<BatchPart>(capacity: most)
    private let pieces = OwnedBuffer<BatchPiece>(repeating: BatchPiece(), count: most / piece)
    /// By piece: the number of the thread that has found the moves.
    private let takers = OwnedBuffer<UInt32>(capacity: most / piece)
    private let space: StateSpace
    /// Whether no two threads may be about to access the same cell.
    private let looksForRaces: Bool
    /// The first state.
    @exclusivity(unchecked) private var first = 0
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var countWithEdges = 0
    /// The first provisional number.
    @exclusivity(unchecked) private var provisional = 0
    /// The number of moves that each thread has room for.
    @exclusivity(unchecked) private var room = 8 * most
    /// The number of states that are worth trying next, and how often nothing is, because the last batches failed.
    @exclusivity(unchecked) private var limit = most
    @exclusivity(unchecked) private var pause = 0
    @exclusivity(unchecked) private var nextPause = 1

    /// Of states.
    static let most = 1 << 12
    private static let piece = 32
    private static let mostMovesBits = 12
    private static let smallestLimit = 256
    private static let longestPause = 256

    /// Whether several threads can expand the states of this space.
    static func canExpand(_ space: StateSpace) -> Bool {
        space.remembers && space.subject.mostThreads <= 64 && (!space.keepsThreads || !space.subject.hasExpectations)
    }

    init(_ space: StateSpace, looksForRaces: Bool, _ team: WorkerTeam) {
        self.space = space
        self.team = team
        self.looksForRaces = looksForRaces
        views = OwnedBuffer(capacity: team.size + 1)
        makeFinders()
    }

    private func makeFinders() {
        finders = (0...team.size).map { FoundMoves($0 < team.size ? StateSpace(helping: space) : space, room: room) }
        for (number, finder) in finders.enumerated() { views.base[number] = finder.view }
    }

    /// Expands states.
    ///
    /// - Returns: the number of states that need no more attention, and the number of those that were expanded, which is less
    ///   if an execution has ended in some. Perhaps 0: the first state is to be expanded alone.
    func expand(
        _ range: Range<Int>, _ states: inout StateTable, _ graph: inout StateGraph
    ) -> (done: Int, expanded: Int) {
        if pause > 0 {
            pause -= 1
            return (0, 0)
        }
        (first, count, provisional) = (range.lowerBound, min(range.count, limit), states.count)
        makeRoom(&states)
        findMoves(states.rows, states.sharedIndex)
        takeWhatIsLeft(states.rows, states.sharedIndex)
        if count == 0 { return (0, 0) }
        markFirstMoves(states.sharedIndex)
        let result = countAll()
        states.add(placeAll(states.count, &graph))
        setAll(states.rows, states.sharedIndex, graph.view)
        return result
    }

    private func makeRoom(_ states: inout StateTable) {
        if finders.contains(where: \.isFull) {
            room *= 2
            makeFinders()
        }
        for finder in finders { finder.removeAll(after: 0) }
        states.reserve(finders.count * room, team)
    }

    // MARK: - Moves

    /// Finds and looks up the moves that need no machine.
    private func findMoves(_ rows: StateRows, _ index: SharedIndex) {
        let (parts, pieces, takers) = (self.parts.base, self.pieces.base, self.takers.base)
        team.forEachPiece(of: count, size: Self.piece) { worker, states in
            let finder = finders[worker]
            var isSpecial = false
            for state in states {
                let part = findMoves(from: rows[first + state], finder, worker)
                parts[state] = part
                if part.kind == .left || part.kind == .alone { isSpecial = true }
            }
            pieces[states.lowerBound / Self.piece].isSpecial = isSpecial
            takers[states.lowerBound / Self.piece] = UInt32(truncatingIfNeeded: worker)
            lookUp(states, rows, index)
        }
    }

    @inline(__always)
    private func findMoves(from row: UnsafePointer<UInt32>, _ finder: FoundMoves, _ number: Int) -> BatchPart {
        let space = finder.space
        var part = BatchPart(finder: Int32(truncatingIfNeeded: number), first: finder.count)
        if row[space.width - 1] != 0 {
            part.kind = .end
            return part
        }
        if !finder.find(from: row, most: 1 << Self.mostMovesBits) { part.kind = .left }
        part.count = finder.count - part.first
        if space.keepsThreads {
            for thread in 0..<space.threadCount where space.hasDeadline(thread) {
                part.deadlines |= 1 << UInt64(thread)
            }
        }
        if looksForRaces && space.accessesAreAdjacent { part.kind = .alone }
        return part
    }

    /// Finds and looks up the moves that need the machine, up to a state that is to be expanded alone: there the batch ends.
    private func takeWhatIsLeft(_ rows: StateRows, _ index: SharedIndex) {
        var left = 0
        let tried = count
        for piece in 0..<pieceCount where pieces[piece].isSpecial && count == tried {
            for state in states(of: piece) where parts[state].kind == .left || parts[state].kind == .alone {
                if parts[state].kind == .left && takeLeft(state, rows, index) {
                    left += 1
                } else {
                    end(before: state, rows, index)
                    break
                }
            }
        }
        adapt(to: left, of: tried)
    }

    /// - Returns: false: the state is to be expanded alone.
    private func takeLeft(_ state: Int, _ rows: StateRows, _ index: SharedIndex) -> Bool {
        let counts = (space.moveCount, space.machineMoveCount)
        let finder = finders[team.size]
        let view = views[team.size]
        let found = finder.count
        parts[state].finder = Int32(team.size)
        parts[state].first = found
        let isWhole = finder.find(from: rows[first + state], most: 1 << Self.mostMovesBits)
        let isPlain = (found..<finder.count).allSatisfy { move in
            view.row(move)[space.width - 1] == 0
                || index.contains(view.move(move).pointee.hash) { isRow($0, view.row(move), rows) }
        }
        if !isWhole || !isPlain {
            finder.removeAll(after: found)
            (space.moveCount, space.machineMoveCount) = counts
            return false
        }
        parts[state].count = finder.count - found
        lookUp(state..<state + 1, rows, index)
        return true
    }

    /// The batch ends before this state. All that it has added to the index is removed, and added again without the later
    /// states: one entry alone cannot be removed, because others may be found by way of it.
    private func end(before state: Int, _ rows: StateRows, _ index: SharedIndex) {
        forEachMove(of: 0..<count) { _, _, finder, number in
            let move = finder.move(number)
            if move.pointee.kind == .open { index.remove(at: move.pointee.target) }
        }
        count = state
        team.forEachPiece(of: count, size: Self.piece) { _, states in lookUp(states, rows, index) }
    }

    /// If the batch ended early, the next one is smaller. If it did so very early, or if much was left to one thread, the next
    /// states are expanded by one thread.
    private func adapt(to left: Int, of tried: Int) {
        limit = count < tried ? max(Self.smallestLimit, 2 * count) : min(Self.most, 2 * limit)
        if left <= count / 4 && count >= tried / 4 {
            nextPause = 1
        } else {
            pause = nextPause
            nextPause = min(2 * nextPause, Self.longestPause)
        }
    }

    // MARK: - States

    @inline(__always) private func number(_ part: Int, _ move: Int) -> Int {
        provisional + part << Self.mostMovesBits + move
    }

    @inline(__always) private func place(of number: Int) -> (part: Int, move: Int) {
        let place = number - provisional
        return (place >> Self.mostMovesBits, place & (1 << Self.mostMovesBits - 1))
    }

    /// Finds out where in the index the states are that the moves lead to.
    @inline(__always) private func lookUp(_ states: Range<Int>, _ rows: StateRows, _ index: SharedIndex) {
        prepare(states, index, rows)
        forEachMove(of: states) { part, i, finder, move in
            let row = finder.row(move)
            let move = finder.move(move)
            let found = index.add(move.pointee.hash, number(part, i)) { isRow($0, row, rows) }
            let isKnown = found.number < provisional
            move.pointee.kind = isKnown ? .known : .open
            move.pointee.target = isKnown ? found.number : found.place
        }
    }

    /// Reads what will be looked up, so that many entries are loaded at the same time: see `PendingMoves`.
    @inline(__always) private func prepare(_ states: Range<Int>, _ index: SharedIndex, _ rows: StateRows) {
        forEachMove(of: states) { _, _, finder, move in
            finder.move(move).pointee.target = index.guess(finder.move(move).pointee.hash)
        }
        forEachMove(of: states) { _, _, finder, move in
            let guess = finder.move(move).pointee.target
            if guess >= 0 && guess < provisional { finder.move(move).pointee.rank = rows[guess][0] }
        }
    }

    @inline(__always)
    private func isRow(_ number: Int, _ row: UnsafePointer<UInt32>, _ rows: StateRows) -> Bool {
        if number < provisional { return rows.equals(number, row) }
        let (part, move) = place(of: number)
        let other = views.base[Int(parts.base[part].finder)].row(parts.base[part].first + move)
        return StateRows.equals(other, row, space.width)
    }

    /// Finds out which moves are the first to a state.
    private func markFirstMoves(_ index: SharedIndex) {
        let (parts, pieces, machine) = (self.parts.base, self.pieces.base, Int32(team.size))
        team.forEachPieceAgain(of: count, size: Self.piece, takers.base) { states in
            var piece = BatchPiece()
            forEachMove(of: states) { part, i, finder, move in
                let move = finder.move(move)
                if move.pointee.kind != .open { return }
                let first = index.number(at: move.pointee.target)
                if first == number(part, i) {
                    move.pointee.kind = .first
                    move.pointee.rank = UInt32(truncatingIfNeeded: piece.new)
                    piece.new += 1
                } else {
                    move.pointee.kind = .repeated
                    move.pointee.target = first
                }
            }
            for state in states {
                if parts[state].finder != machine { piece.moves += parts[state].count }
                if parts[state].kind == .end { piece.ends += 1 }
                piece.edges += parts[state].edgeCount
            }
            pieces[states.lowerBound / Self.piece] = piece
        }
    }

    private func countAll() -> (done: Int, expanded: Int) {
        var ends = 0
        for piece in 0..<pieceCount {
            space.moveCount += pieces[piece].moves
            ends += pieces[piece].ends
        }
        for helper in finders.dropLast() {
            if helper.space.hasLooped { space.hasLooped = true }
            if helper.space.hasFoundUnordered { space.hasFoundUnordered = true }
        }
        return (count, count - ends)
    }

    /// Decides which numbers new states have, and where the edges are.
    ///
    /// - Parameter next: the first number for a new state.
    /// - Returns: the number of new states.
    private func placeAll(_ next: Int, _ graph: inout StateGraph) -> Int {
        // Ends have no edges, and no place in the graph if none comes after them.
        countWithEdges = count
        while countWithEdges > 0 && parts[countWithEdges - 1].kind == .end { countWithEdges -= 1 }
        graph.add(first..<first + countWithEdges)
        var number = next
        for piece in 0..<pieceCount {
            let new = pieces[piece].new
            pieces[piece].new = number
            number += new
            if let edge = graph.reserveTogether(pieces[piece].edges) {
                pieces[piece].edge = edge
            } else {
                for state in states(of: piece) { parts[state].edge = graph.reserve(parts[state].edgeCount) }
            }
        }
        return number - next
    }

    /// Sets the new rows and all edges.
    private func setAll(_ rows: StateRows, _ index: SharedIndex, _ graph: StateGraph.View) {
        let (parts, pieces) = (self.parts.base, self.pieces.base)
        team.forEachPieceAgain(of: count, size: Self.piece, takers.base) { states in
            let piece = pieces[states.lowerBound / Self.piece]
            var place = piece.edge
            for state in states where state < countWithEdges {
                let edgeCount = parts[state].edgeCount
                var edge = graph.place(first + state, piece.edge < 0 ? parts[state].edge : place, count: edgeCount)
                place += edgeCount
                var deadlines = parts[state].deadlines
                while deadlines != 0 {
                    edge.pointee = .deadline(of: deadlines.trailingZeroBitCount)
                    edge += 1
                    deadlines &= deadlines - 1
                }
                forEachMove(of: state..<state + 1) { _, _, finder, number in
                    let move = finder.move(number).pointee
                    let target = target(of: move, piece)
                    if move.kind == .first {
                        index.set(target, at: move.target)
                        rows.set(target, finder.row(number), from: first + state, by: move.move)
                    }
                    edge.pointee = .init(
                        to: target, by: move.move == .passTime ? 0 : move.move.thread, isBranch: move.isBranch,
                        isProgress: move.isProgress)
                    edge += 1
                }
            }
        }
    }

    /// The number of the state to which a move leads.
    @inline(__always) private func target(of move: FoundMoves.Move, _ piece: BatchPiece) -> Int {
        assert(move.kind != .open, "a move that was not marked has a place in the index for a number")
        switch move.kind {
        case .known, .open: return move.target
        case .first: return piece.new + Int(move.rank)
        case .repeated:
            let (part, place) = place(of: move.target)
            let first = views.base[Int(parts.base[part].finder)].move(parts.base[part].first + place)
            return pieces.base[part / Self.piece].new + Int(first.pointee.rank)
        }
    }

    // MARK: - Pieces

    private var pieceCount: Int { (count + Self.piece - 1) / Self.piece }

    private func states(of piece: Int) -> Range<Int> { piece * Self.piece..<min(count, (piece + 1) * Self.piece) }

    @inline(__always)
    private func forEachMove(of states: Range<Int>, _ body: (Int, Int, FoundMoves.View, Int) -> Void) {
        for state in states {
            let part = parts.base[state]
            let finder = views.base[Int(part.finder)]
            for i in 0..<part.count { body(state, i, finder, part.first + i) }
        }
    }
}
