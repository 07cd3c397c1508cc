import Machine

/// The states of a subject and the moves between them. A state is a row: the numbers of its components, and how the
/// execution has ended in it.
///
/// Two reductions keep the space small, without hiding an ending:
/// - Exchangeable threads are put into a fixed order, so that states that differ only in which thread is which are one.
/// - If the next steps of some threads are independent of all that other threads can do, only those threads are
///   followed: the other threads' steps commute with them and come later (persistent sets, Godefroid 1996). Exceptions
///   are steps that end the execution or begin another round of an uncounted loop, so that no thread is delayed
///   forever.
final class StateSpace {
    let subject: any StatefulSubject
    /// The length of a row.
    let width: Int
    let tables: UnsafeMutablePointer<SpaceTables>
    /// The number of moves that were visited.
    @exclusivity(unchecked) var moveCount = 0
    /// The number of moves whose step the machine took.
    @exclusivity(unchecked) var machineMoveCount = 0
    /// Whether time passed in some execution.
    @exclusivity(unchecked) var passesTime = false
    /// Whether some step began another round of a loop without a counter.
    @exclusivity(unchecked) var hasLooped = false
    /// Whether the last move's step has several alternatives; `isBranch`: whether a fair scheduler takes each of them
    /// at some time.
    @exclusivity(unchecked) var hasWays = false
    @exclusivity(unchecked) var isBranch = false
    /// Whether fairness demands the last move's step.
    @exclusivity(unchecked) var isDue = true
    /// Whether the thread has done, in the last move, what it loops for.
    @exclusivity(unchecked) var isProgress = false
    /// Whether threads keep their places in rows from state to state.
    var keepsThreads: Bool { exchangeable.isEmpty }
    /// Whether some step found something that nothing orders before it, so that the accesses of a race need not be
    /// adjacent.
    @exclusivity(unchecked) var hasFoundUnordered = false

    let machine: MachineState
    /// If states include what threads know of accesses: that knowledge, and the number of its words. They come first in
    /// the shared component.
    @exclusivity(unchecked) var races: RaceKnowledge?
    let raceWords: Int
    let rules: Rules
    let isReduced: Bool
    /// Whether counters are left out of states.
    private let forgetsCounters: Bool
    /// The ranges of threads that can be exchanged for each other.
    let exchangeable: [Range<Int>]
    /// Whether the rules allow spurious wake-ups and spurious failures of compare-exchanges; `mayWake`: whether one is
    /// left in the present state.
    let allowsSpurious: Bool
    @exclusivity(unchecked) private(set) var mayWake = false
    /// Whether steps are remembered (`StepMemory`): not if states include what threads know of accesses, nor if there
    /// are more locks than `LockBits` has bits for.
    let remembers: Bool
    /// Facts about the present state: the number of threads; the locks that they hold, that they hold as readers, and
    /// that several of them hold as readers; whether a thread watches an object. All but the first are valid only if
    /// steps are remembered.
    @exclusivity(unchecked) var threadCount = 0
    @exclusivity(unchecked) var held: UInt64 = 0
    @exclusivity(unchecked) var heldToRead: UInt64 = 0
    @exclusivity(unchecked) var heldTwice: UInt64 = 0
    @exclusivity(unchecked) var isAnyWatching = false
    /// The number of threads that are about to access a plain cell.
    @exclusivity(unchecked) private var accessCount = 0
    /// By thread: a number that exchangeable threads share.
    let roles: OwnedBuffer<Int>
    private let hasExchangeable: Bool
    /// Whether the subject is in the present state.
    @exclusivity(unchecked) var isLoaded = false
    /// Memory for a component.
    let scratch: OwnedBuffer<Int>
    /// Memory for the addresses of a state's components.
    let pointers: OwnedBuffer<UnsafePointer<Int>>
    /// The row of the present state, and of the next one, to which a move leads.
    let present: OwnedBuffer<UInt32>
    let next: OwnedBuffer<UInt32>
    /// Memory for enabled threads, in the present state and while a schedule is made.
    let enabled: OwnedBuffer<UInt16>
    let enabledOnPath: OwnedBuffer<UInt16>

    /// - Parameters:
    ///   - isReduced: whether steps that are independent of all that other threads can do are followed alone.
    ///   - exchanges: whether threads that run the same code are exchangeable.
    ///   - tracksRaces: whether states include what threads know of each other's accesses. Threads are not exchanged
    ///     then.
    ///   - forgetsCounters: whether states that differ only in counters are the same.
    init(
        _ subject: any StatefulSubject, _ rules: Rules, isReduced: Bool = true, exchanges: Bool = true,
        tracksRaces: Bool = false, forgetsCounters: Bool = false
    ) {
        self.subject = subject
        self.forgetsCounters = forgetsCounters
        self.rules = rules
        allowsSpurious = rules.spuriousWakeups > 0
        machine = subject.machine
        // The shared component, those of the threads, and how the execution has ended.
        width = subject.mostThreads + 2
        // A set of threads that are followed alone is one word.
        self.isReduced = isReduced && subject.mostThreads <= UInt64.bitWidth
        exchangeable = exchanges && !tracksRaces ? subject.interchangeable : []
        races =
            tracksRaces
            ? RaceKnowledge(machine, threads: subject.mostThreads, hasWeakOrders: subject.hasWeakOrders) : nil
        raceWords = races?.wordCount ?? 0
        roles = OwnedBuffer(Array(0..<width))
        for range in exchangeable { for thread in range { roles[thread] = range.lowerBound } }
        hasExchangeable = !exchangeable.isEmpty
        tables = .allocate(capacity: 1)
        tables.initialize(to: SpaceTables(machine))
        remembers =
            !tracksRaces && tables.pointee.locks.isComplete
            && subject.mostThreads <= MachineState.maximumThreads
        scratch = OwnedBuffer(capacity: subject.longestComponent + raceWords)
        pointers = OwnedBuffer(capacity: width)
        present = OwnedBuffer(repeating: 0, count: width)
        next = OwnedBuffer(repeating: 0, count: width)
        enabled = OwnedBuffer(capacity: width)
        enabledOnPath = OwnedBuffer(capacity: width)
    }

    deinit {
        tables.deinitialize(count: 1)
        tables.deallocate()
    }

    /// Begins in the initial state, and returns its row.
    func begin() -> UnsafePointer<UInt32> {
        isLoaded = false
        subject.forgetsCounters = forgetsCounters
        subject.beginStates()
        races?.begin()
        for component in 0..<width - 1 { next[component] = number(component, encode(component)) }
        next[width - 1] = subject.verdict.map { UInt32($0.rawValue) + 1 } ?? 0
        assert(isRestoredFromRow, "a state is not what was written down of it")
        finishRow()
        return UnsafePointer(next.base)
    }

    /// The memory in use, in bytes.
    var memory: Int { tables.pointee.memory }
    var memoryToGrow: Int { tables.pointee.memoryToGrow }

    /// The place of the first race in the executions that lead to the present state. Nil: there was none.
    var racePlace: Int? {
        guard let number = races?.race, number != 0 else { return nil }
        return racePlace(number)
    }

    /// The place of the race with this number, from 1.
    func racePlace(_ number: Int) -> Int { races?.racePlaces[number - 1] ?? 0 }

    /// The number of the first race in the executions that lead to the present state. 0: there was none, or races are
    /// not tracked.
    var raceNumber: Int {
        raceWords == 0 ? 0 : tables.pointee.sharedComponents.words(of: present[0]).pointee
    }

    // MARK: - States

    /// How the execution has ended in the state of this row. Nil: it continues.
    @inline(__always) func verdict(of row: UnsafePointer<UInt32>) -> Verdict? {
        row[width - 1] == 0 ? nil : Verdict(rawValue: UInt8(row[width - 1] - 1))
    }

    /// Makes the state the present one. The subject need not be in it.
    func enter(_ row: UnsafePointer<UInt32>) {
        isLoaded = false
        present.base.update(from: row, count: width)
        (threadCount, held, heldToRead, heldTwice, isAnyWatching, accessCount) = (0, 0, 0, 0, false, 0)
        if allowsSpurious { mayWake = budget(present.base) > 0 }
        for place in 1..<width - 1 {
            let standing = tables.pointee.standings.base + Int(row[place])
            if case .none = standing.pointee.life { break }
            threadCount = place
            held |= standing.pointee.held
            heldTwice |= heldToRead & standing.pointee.heldToRead
            heldToRead |= standing.pointee.heldToRead
            if standing.pointee.isWatching { isAnyWatching = true }
            if standing.pointee.accesses { accessCount += 1 }
        }
    }

    /// The number of waits that may still end without a signal in the state of this row, and of weak compare-exchanges
    /// that may still fail spuriously: both together.
    @inline(__always) func budget(_ row: UnsafeMutablePointer<UInt32>) -> Int {
        MachineState.spuriousBudget(inShared: tables.pointee.sharedComponents.words(of: row[0]) + raceWords)
    }

    /// Makes the state the present one, and puts the subject into it.
    func load(_ row: UnsafePointer<UInt32>) {
        enter(row)
        loadNow()
    }

    /// Puts the subject into the present state.
    @inline(__always) func loadNow() { if !isLoaded { loadPresent() } }

    @inline(never) private func loadPresent() {
        subject.forgetsCounters = forgetsCounters
        point(to: present.base)
        if raceWords != 0 { races?.decode(pointers[0] - raceWords) }
        subject.decode(UnsafePointer(pointers.base))
        subject.mark()
        isLoaded = true
    }

    /// Sets the pointers to the subject's words of a row's components.
    private func point(to row: UnsafePointer<UInt32>) {
        pointers[0] = tables.pointee.sharedComponents.words(of: row[0]) + raceWords
        for component in 1..<width - 1 {
            pointers[component] = tables.pointee.ownComponents.words(of: row[component])
        }
    }

    /// Returns the subject to the present state, which it has left.
    func goBack() {
        if raceWords != 0 { races?.decode(tables.pointee.sharedComponents.words(of: present[0])) }
        subject.goBackToMark()
        isLoaded = true
    }

    /// Whether the thread continues at the latest when enough time has passed.
    @inline(__always) func hasDeadline(_ thread: Int) -> Bool {
        tables.pointee.standings.base[Int(present.base[thread + 1])].hasDeadline
    }

    /// Whether two threads are about to access the same cell in the present state, and at least one of them to write
    /// it.
    var accessesAreAdjacent: Bool {
        if accessCount < 2 { return false }
        for thread in 0..<threadCount {
            let standing = tables.pointee.standings.base + Int(present.base[thread + 1])
            guard standing.pointee.accesses else { continue }
            for other in thread + 1..<threadCount {
                let second = tables.pointee.standings.base + Int(present.base[other + 1])
                guard second.pointee.cell == standing.pointee.cell, second.pointee.accesses else { continue }
                if standing.pointee.writesCell || second.pointee.writesCell { return true }
            }
        }
        return false
    }

    // MARK: - Rows

    /// Writes the subject's state into the next row, with threads in the subject's order.
    ///
    /// - Parameter thread: the only thread whose component has changed. Nil: other components may have changed too.
    func encode(changed thread: Int?) {
        if let thread {
            next.base.update(from: present.base, count: width)
            encodeAfterMove(0)
            encodeAfterMove(thread + 1)
            assert(othersAreUnchanged(thread), "a step changes a thread that it does not say it changes")
        } else {
            for component in 0..<width - 1 { encodeAfterMove(component) }
        }
        next[width - 1] = subject.verdict.map { UInt32($0.rawValue) + 1 } ?? 0
        assert(!isSampled || isRestoredFromRow, "a state is not what was written down of it")
    }

    /// Whether debug builds check that the next state can be restored from its row: the first ones, then a sample.
    private var isSampled: Bool { moveCount < 300 || moveCount % 128 == 0 }

    /// Whether restoring the next row gives the subject's state, with threads in the subject's order.
    private var isRestoredFromRow: Bool {
        if subject.verdict != nil { return true }
        point(to: next.base)
        return subject.isRestored(from: UnsafePointer(pointers.base))
    }

    @inline(__always) private func encodeAfterMove(_ component: Int) {
        let length = encode(component)
        next[component] =
            isSame(component, present[component], length) ? present[component] : number(component, length)
    }

    @inline(__always) private func isSame(_ component: Int, _ number: UInt32, _ length: Int) -> Bool {
        component == 0
            ? tables.pointee.sharedComponents.equals(Int(number), scratch.base, length)
            : tables.pointee.ownComponents.equals(Int(number), scratch.base, length)
    }

    private func othersAreUnchanged(_ thread: Int) -> Bool {
        (1..<width - 1).allSatisfy { $0 == thread + 1 || isSame($0, present[$0], encode($0)) }
    }

    /// Sorts the exchangeable threads of the next row.
    @inline(__always) func finishRow() { if hasExchangeable { sortAll() } }

    private func sortAll() { for range in exchangeable { sort(range) } }

    /// Writes the component into `scratch`, and returns its length.
    @inline(__always) private func encode(_ component: Int) -> Int {
        if component > 0 || raceWords == 0 { return subject.encode(component, into: scratch.base) }
        races?.encode(scratch.base)
        return raceWords + subject.encode(0, into: scratch.base + raceWords)
    }

    /// The number of the component in `scratch`.
    func number(_ component: Int, _ length: Int) -> UInt32 {
        if component == 0 { return tables.pointee.sharedComponents.number(of: scratch.base, count: length) }
        let known = tables.pointee.ownComponents.count
        let number = tables.pointee.ownComponents.number(of: scratch.base, count: length)
        if tables.pointee.ownComponents.count > known {
            tables.pointee.ranks.reserve(known + 1, keeping: known)
            tables.pointee.standings.reserve(known + 1, keeping: known)
            let thread = component - 1
            tables.pointee.ranks[known] = thread < machine.threadCount ? rank(of: thread) : 0
            tables.pointee.standings[known] = machine.standing(of: thread, tables.pointee.locks)
        }
        return number
    }

    /// See `SpaceTables.ranks`.
    private func rank(of thread: Int) -> UInt8 {
        let state = machine.thread(thread)
        return state.isJoined ? 0 : state.status == .ended ? 1 : 2
    }

    /// Sorts exchangeable threads: joined ones first, then ended ones, then the others. The main thread joins them in
    /// order of their numbers, so after sorting its next join has the same number and becomes possible no later.
    private func sort(_ threads: Range<Int>) {
        let row = next.base + 1
        func key(_ number: UInt32) -> UInt64 { UInt64(number) | UInt64(tables.pointee.ranks[Int(number)]) << 32 }
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
}
