import Machine

/// The states of a subject and the moves between them. A state is a row of numbers: component by component, and how the
/// execution has ended in it.
///
/// Two things keep the space small, and hide no ending:
/// - Threads that can be exchanged are put in a fixed order, so that states that differ only in which thread is which
///   are one.
/// - Where some threads' next steps are independent of all that the others can do, only theirs are followed: the others'
///   steps commute with them and come later (persistent sets, Godefroid 1996). Not where such a step ends the execution,
///   nor where it begins another round of an uncounted loop, so that no thread is put off forever.
final class StateSpace {
    let subject: any StatefulSubject
    let width: Int
    @exclusivity(unchecked) private(set) var components = ComponentTable()
    @exclusivity(unchecked) private(set) var moveCount = 0
    /// Whether time has passed in some move.
    @exclusivity(unchecked) private(set) var passesTime = false
    /// Whether some step began another round of a loop that nothing counts.
    @exclusivity(unchecked) private(set) var hasLooped = false
    /// Whether the last move's step has alternatives.
    @exclusivity(unchecked) private(set) var isBranch = false
    /// Whether the thread has done in the last move what it loops for.
    @exclusivity(unchecked) private(set) var isProgress = false
    /// Whether a thread keeps its number from state to state.
    var keepsThreads: Bool { exchangeable.isEmpty }
    /// Whether in some state no more waits can end without a signal.
    @exclusivity(unchecked) private(set) var hasSpentBudget = false
    /// Whether some step found something that nothing orders before it: then not all races are between neighbors.
    @exclusivity(unchecked) private(set) var hasFoundUnordered = false

    private let machine: MachineState
    @exclusivity(unchecked) private(set) var races: RaceKnowledge?
    private let raceWords: Int
    private let rules: Rules
    private let isReduced: Bool
    private let exchangeable: [Range<Int>]
    /// By component of a thread: its place among threads that can be exchanged. Those that have been joined come first, then
    /// those that can be.
    @exclusivity(unchecked) private var ranks = OwnedBuffer<UInt8>(capacity: 256)
    private let scratch: OwnedBuffer<Int>
    private let pointers: OwnedBuffer<UnsafePointer<Int>>
    private let present: OwnedBuffer<UInt32>
    private let next: OwnedBuffer<UInt32>
    private let enabled: OwnedBuffer<UInt16>
    private let enabledOnPath: OwnedBuffer<UInt16>
    @exclusivity(unchecked) private var independence: IndependenceTable

    /// - Parameters:
    ///   - isReduced: whether steps that are independent of all others are followed alone.
    ///   - exchanges: whether threads that run the same code are exchanged.
    ///   - tracksRaces: whether a state includes what its threads know of each other's accesses. Then no threads are
    ///     exchanged.
    init(
        _ subject: any StatefulSubject, _ rules: Rules, isReduced: Bool = true, exchanges: Bool = true,
        tracksRaces: Bool = false
    ) {
        self.subject = subject
        self.rules = rules
        machine = subject.machine
        width = subject.mostThreads + 2
        self.isReduced = isReduced && rules.spuriousWakeups == 0 && subject.mostThreads <= 64
        exchangeable = exchanges && !tracksRaces ? subject.interchangeable : []
        races = tracksRaces ? RaceKnowledge(machine, threads: subject.mostThreads) : nil
        raceWords = races?.wordCount ?? 0
        scratch = OwnedBuffer(capacity: subject.longestComponent + raceWords)
        pointers = OwnedBuffer(capacity: width)
        present = OwnedBuffer(repeating: 0, count: width)
        next = OwnedBuffer(repeating: 0, count: width)
        enabled = OwnedBuffer(capacity: width)
        enabledOnPath = OwnedBuffer(capacity: width)
        independence = IndependenceTable()
    }

    /// The initial state.
    func begin() -> UnsafePointer<UInt32> {
        subject.beginStates()
        races?.begin()
        for component in 0..<width - 1 { next[component] = number(component, encode(component)) }
        finishRow()
        return UnsafePointer(next.base)
    }

    /// In bytes.
    var memory: Int { components.memory + independence.memory }

    /// The place of the first race of the executions that lead to the present state, if there was one.
    var racePlace: Int? {
        guard let number = races?.race, number != 0 else { return nil }
        return races?.racePlaces[number - 1]
    }

    // MARK: - From state to state

    /// How the execution has ended in a state.
    @inline(__always) func verdict(of row: UnsafePointer<UInt32>) -> Verdict? {
        row[width - 1] == 0 ? nil : Verdict(rawValue: UInt8(row[width - 1] - 1))
    }

    /// Puts the subject into the state.
    func load(_ row: UnsafePointer<UInt32>) {
        present.base.update(from: row, count: width)
        for component in 0..<width - 1 { pointers[component] = components.words(of: present[component]) }
        if raceWords != 0 {
            races?.decode(pointers[0])
            pointers[0] += raceWords
        }
        subject.decode(UnsafePointer(pointers.base))
    }

    /// Visits the states to which the present one leads, the one that was loaded last. Meanwhile the subject is in the
    /// visited state; the visitor may move it away.
    func forEachMove(_ visit: (StateMove, UnsafePointer<UInt32>) -> Void) {
        subject.mark()
        let count = machine.enabledThreads(into: enabled.base)
        let threads = UnsafeBufferPointer(start: enabled.base, count: count)
        if rules.spuriousWakeups > 0 && machine.isQuiet(threads) {
            subject.passQuietTime()
            isBranch = true
            isProgress = false
            finish(.passTime, changed: nil, visit)
            goBack()
        }
        let chosen = isReduced && count > 1 ? independentThreads(threads) : 0
        var mustFollowAll = chosen == 0
        if chosen != 0 {
            for thread in threads where chosen & 1 << UInt64(thread) != 0 {
                if follow(Int(thread), visit) { mustFollowAll = true }
            }
        }
        if mustFollowAll {
            for thread in threads where chosen & 1 << UInt64(thread) == 0 || chosen == 0 { follow(Int(thread), visit) }
        }
    }

    /// Takes the thread's step in each of its ways. The subject is in the present state, before and afterwards.
    ///
    /// - Returns: whether the step must not be taken alone.
    @discardableResult
    private func follow(_ thread: Int, _ visit: (StateMove, UnsafePointer<UInt32>) -> Void) -> Bool {
        var isSpecial = false
        let ways = machine.alternatives(of: thread)
        for way in 0..<ways {
            if raceWords == 0 {
                subject.take(thread, way: way)
            } else {
                let threadsBefore = machine.threadCount
                races?.willTake(thread, machine)
                subject.take(thread, way: way)
                races?.hasTaken(thread, threadsBefore: threadsBefore, machine)
            }
            if subject.hasFoundUnordered { hasFoundUnordered = true }
            if subject.verdict != nil { isSpecial = true }
            if subject.hasLooped(thread) {
                isSpecial = true
                hasLooped = true
            }
            isBranch = ways > 1
            isProgress = subject.hasProgressed(thread)
            finish(StateMove(thread: thread, way: way), changed: subject.hasChangedOthers ? nil : thread, visit)
            goBack()
        }
        return isSpecial
    }

    @inline(__always)
    private func finish(
        _ move: StateMove, changed: Int?, _ visit: (StateMove, UnsafePointer<UInt32>) -> Void
    ) {
        moveCount += 1
        if machine.time > 0 { passesTime = true }
        if rules.spuriousWakeups > 0 && machine.isSpuriousBudgetSpent { hasSpentBudget = true }
        encode(changed: changed)
        visit(move, UnsafePointer(next.base))
    }

    /// The subject goes back to the state that was loaded.
    private func goBack() {
        if raceWords != 0 { races?.decode(components.words(of: present[0])) }
        subject.goBackToMark()
    }

    /// Writes the subject's state into the next row.
    ///
    /// - Parameter thread: the only one whose component has changed. Nil: perhaps others have too.
    private func encode(changed thread: Int?) {
        guard let thread else {
            for component in 0..<width - 1 { encodeAfterMove(component) }
            return finishRow()
        }
        next.base.update(from: present.base, count: width)
        encodeAfterMove(0)
        encodeAfterMove(thread + 1)
        assert(othersAreUnchanged(thread), "a step changes a thread that it does not say it changes")
        finishRow()
    }

    @inline(__always) private func encodeAfterMove(_ component: Int) {
        let length = encode(component)
        let isSame = components.equals(Int(present[component]), scratch.base, length)
        next[component] = isSame ? present[component] : number(component, length)
    }

    private func othersAreUnchanged(_ thread: Int) -> Bool {
        (1..<width - 1).allSatisfy {
            $0 == thread + 1 || components.equals(Int(present[$0]), scratch.base, encode($0))
        }
    }

    private func finishRow() {
        next[width - 1] = subject.verdict.map { UInt32($0.rawValue) + 1 } ?? 0
        for range in exchangeable { sort(range) }
    }

    /// Writes the component, and returns its length.
    @inline(__always) private func encode(_ component: Int) -> Int {
        if component > 0 || raceWords == 0 { return subject.encode(component, into: scratch.base) }
        races?.encode(scratch.base)
        return raceWords + subject.encode(0, into: scratch.base + raceWords)
    }

    private func number(_ component: Int, _ length: Int) -> UInt32 {
        let known = components.count
        let number = components.number(of: scratch.base, count: length)
        if components.count > known {
            ranks.reserve(components.count, keeping: known)
            ranks[known] = component > 0 && component <= machine.threadCount ? rank(of: component - 1) : 0
        }
        return number
    }

    private func rank(of thread: Int) -> UInt8 {
        let state = machine.thread(thread)
        return state.isJoined ? 0 : state.status == .ended ? 1 : 2
    }

    /// Puts the threads into a fixed order. The main thread joins them in order, so what it waits for stays the same, and
    /// is there no later.
    private func sort(_ threads: Range<Int>) {
        let row = next.base + 1
        func key(_ number: UInt32) -> UInt64 { UInt64(number) | UInt64(ranks[Int(number)]) << 32 }
        for place in threads.dropFirst() {
            let number = row[place]
            let ownKey = key(number)
            var free = place
            while free > threads.lowerBound && key(row[free - 1]) > ownKey {
                row[free] = row[free - 1]
                free -= 1
            }
            row[free] = number
        }
    }

    // MARK: - Reduction

    /// A set of threads, with few that are enabled, whose next steps commute with all that the others can do before them.
    /// 0: only all of them.
    private func independentThreads(_ enabled: UnsafeBufferPointer<UInt16>) -> UInt64 {
        let all = enabled.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        var best: UInt64 = 0
        var fewest = enabled.count
        for first in enabled {
            let set = closure(of: Int(first), all, fewest)
            let size = (set & all).nonzeroBitCount
            if set != 0 && size < fewest {
                (best, fewest) = (set, size)
                if size == 1 { break }
            }
        }
        return best & all
    }

    /// The smallest such set with this thread. 0: it has too many enabled threads.
    private func closure(of first: Int, _ enabled: UInt64, _ limit: Int) -> UInt64 {
        var set: UInt64 = 1 << UInt64(first)
        var open = set
        while open != 0 {
            let thread = open.trailingZeroBitCount
            open &= open - 1
            for other in 0..<machine.threadCount where set & 1 << UInt64(other) == 0 {
                if isIndependent(thread, of: other) { continue }
                set |= 1 << UInt64(other)
                open |= 1 << UInt64(other)
                if (set & enabled).nonzeroBitCount >= limit { return 0 }
            }
        }
        return set
    }

    private func isIndependent(_ thread: Int, of other: Int) -> Bool {
        let (number, answer) = independence.answer(thread, present[thread + 1], present[other + 1])
        if let answer { return answer }
        let isIndependent = subject.isIndependent(thread, of: other)
        independence.set(number, isIndependent)
        return isIndependent
    }

    // MARK: - Paths

    /// The schedule of an execution that takes these moves from the beginning. With each move comes the row of the state
    /// from which it starts: its threads may be in another order than those of the execution.
    func schedule(of moves: [(row: [UInt32], move: StateMove)]) -> Schedule {
        subject.beginStates()
        var choices: [Schedule.Choice] = []
        // Joins of exchanged threads that the main thread cannot take yet: it joins them in another order.
        var owed = 0
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
                subject.passQuietTime()
                continue
            }
            guard move.thread == 0 else {
                take(actor(of: move, in: row), way: move.way)
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

    private var isQuiet: Bool {
        guard rules.spuriousWakeups > 0 else { return false }
        let count = machine.enabledThreads(into: enabledOnPath.base)
        return machine.isQuiet(UnsafeBufferPointer(start: enabledOnPath.base, count: count))
    }

    /// Whether the main thread is about to join a thread that can be exchanged for others.
    private var isJoinOfExchanged: Bool {
        let operation = machine.operation(of: 0)
        return operation.kind == .join && exchangeable.contains { $0.contains(operation.a) }
    }

    /// The thread of the subject's state that is in the place of the move's thread.
    private func actor(of move: StateMove, in row: [UInt32]) -> Int {
        guard let range = exchangeable.first(where: { $0.contains(move.thread) }) else { return move.thread }
        for thread in range {
            let length = subject.encode(thread + 1, into: scratch.base)
            if number(thread + 1, length) == row[move.thread + 1] { return thread }
        }
        preconditionFailure("no thread is in the place of the one that moves")
    }
}
