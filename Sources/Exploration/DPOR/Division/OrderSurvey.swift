import Machine
import Trace

/// Random walks through a part of a program's executions, which record the order in which threads change objects.
///
/// A step is contended if another thread may soon change the same object. A walk takes uncontended steps first, because
/// their order does not matter to a partial-order search, until each thread has reached a contended step. Then it
/// chooses a thread with a probability proportional to the number of contended steps that the thread has left,
/// according to earlier walks. All orders of these steps are thus about equally likely, and the number of walks in a
/// part indicates the part's size.
final class OrderSurvey: Strategy {
    /// The number of a thread's contended steps.
    private struct Contention {
        var taken = 0
        /// The most in an earlier walk.
        var most = 0

        var left: Int { max(1, most - taken) }
    }

    private let walk: RandomWalk
    private let seed: UInt64
    private let favorsFirstThreads: Bool
    private var random = SplitMix64(seed: 0)
    /// Keeps the walks inside the part.
    private var watch: OrderWatch
    private let footprint = StepFootprint()
    private var tracks = OrderTracks()
    private var log = OrderLog()
    /// The enabled threads that may step according to the part's orders.
    private var allowed: [UInt16] = []
    /// By thread.
    private var contentions: [Contention] = []
    private var position: Int32 = 0
    /// The cost of the uncontended steps since the last random choice.
    private var haste = 0
    /// Whether the first walk, which only learns the numbers of steps, is over.
    private var hasLearned = false

    /// The limit of `haste`: a thread that polls must not prevent forever the step of the thread that it waits for.
    private static let mostHaste = 10_000
    /// What a step that need not change an object, such as a read, adds to `haste`; other uncontended steps add 1.
    private static let costOfRead = 500

    /// - Parameter favorsFirstThreads: whether, of the threads whose next step is uncontended, the one with the lowest
    ///   number steps, instead of a random one.
    init(seed: UInt64, in part: SearchPart = SearchPart(), favorsFirstThreads: Bool = false) {
        walk = RandomWalk(seed: seed)
        self.seed = seed
        self.favorsFirstThreads = favorsFirstThreads
        watch = OrderWatch(part)
    }

    deinit { footprint.deallocate() }

    /// What the walks have shown.
    func table() -> OrderTable { log.table(tracks) }

    func prepare(_ number: Int) -> Bool {
        random = SplitMix64(seed: seed, execution: number)
        return walk.prepare(number)
    }

    func begin() {
        walk.begin()
        tracks.begin()
        log.begin()
        for thread in contentions.indices { contentions[thread].taken = 0 }
        (position, haste) = (0, 0)
        watch.forget(from: 0)
    }

    /// The first walk is not recorded, nor is one that left the part or that the part's orders blocked.
    func end(_ verdict: Verdict, state: MachineState) {
        tracks.keep()
        for thread in contentions.indices {
            contentions[thread].most = max(contentions[thread].most, contentions[thread].taken)
        }
        let isInside = watch.isEmpty || (verdict != .stopped && !watch.isElsewhere)
        if hasLearned && isInside { log.keep(tracks) }
        hasLearned = true
    }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        allowed.removeAll(keepingCapacity: true)
        for thread in enabled where watch.isEmpty || !watch.forbids(Int(thread), state) { allowed.append(thread) }
        // Nil: each thread has to wait for a step that no enabled thread takes.
        guard let thread = hasty(state) ?? chosen() else { return nil }
        watch.note(Int(position), of: Int(thread), state)
        note(thread, state)
        return thread
    }

    /// A thread whose next step is uncontended. Nil: there is none, or it is time for a random choice.
    private func hasty(_ state: MachineState) -> UInt16? {
        if haste >= Self.mostHaste || allowed.isEmpty { return nil }
        // Steps that need not change an object, such as reads, count as uncontended. The search begins at a random
        // thread, so that each thread's read sometimes comes first.
        let first = favorsFirstThreads ? 0 : random.next(below: allowed.count)
        for offset in allowed.indices {
            let thread = allowed[(first + offset) % allowed.count]
            if let track = tracks.next(of: thread, state) {
                if tracks.isContended(track, state) { continue }
                haste += 1
            } else {
                haste += Self.costOfRead
            }
            return thread
        }
        return nil
    }

    /// A thread drawn by the number of contended steps that it has left. Nil: no thread is allowed to step.
    private func chosen() -> UInt16? {
        haste = 0
        let sum = allowed.reduce(0) { $0 + contention($1).left }
        if sum == 0 { return nil }
        var rest = random.next(below: sum)
        for thread in allowed {
            rest -= contention(thread).left
            if rest < 0 {
                contentions[Int(thread)].taken += 1
                return thread
            }
        }
        return nil
    }

    private func contention(_ thread: UInt16) -> Contention {
        while contentions.count <= thread { contentions.append(Contention()) }
        return contentions[Int(thread)]
    }

    /// Records the step that the thread is about to take.
    private func note(_ thread: UInt16, _ state: MachineState) {
        position += 1
        guard let track = tracks.next(of: thread, state) else { return }
        let object = Int32(state.operation(of: Int(thread)).object)
        footprint.fill(with: Int(thread), state)
        log.note(track, tracks.all[track].count, at: position)
        tracks.take(track, isChange: footprint.accesses.contains { $0.thing == object && $0.isWrite })
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        walk.chooseAlternative(count, of: thread, state: state)
    }
}
