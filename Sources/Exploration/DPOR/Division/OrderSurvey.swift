import Machine

/// Random walks through the executions of a part of a program, that note in which order its threads change objects.
final class OrderSurvey: Strategy {
    private let walk: RandomWalk
    /// Keeps the walks in the part.
    private var watch: OrderWatch
    private var allowed: [UInt16] = []
    private let footprint = StepFootprint()
    /// The steps that were seen, and their numbers.
    private(set) var steps: [OrderedStep] = []
    private var numbers: [OrderedStep: Int] = [:]
    /// By walk: where each step came in it, by the number of the step; −1: nowhere. Steps with greater numbers came nowhere.
    private(set) var walks: [[Int32]] = []
    /// How often the threads of the present walk have changed objects.
    private var counts: [OrderedStep: Int] = [:]
    private var position: Int32 = 0
    /// Objects of which such a step did not change them.
    private var unfit: Set<ObjectIdentity> = []

    /// The number of a thread's steps on an object that are considered, and the number of all.
    private static let mostOfEach = 24
    private static let most = 2048

    init(seed: UInt64, in part: SearchPart = SearchPart()) {
        walk = RandomWalk(seed: seed)
        watch = OrderWatch(part)
    }

    deinit { footprint.deallocate() }

    /// Whether all executions of one kind have the step's object in the same order.
    func isFit(_ step: Int) -> Bool { !unfit.contains(steps[step].object) }

    func prepare(_ number: Int) -> Bool { walk.prepare(number) }

    func begin() {
        walk.begin()
        walks.append([])
        counts.removeAll(keepingCapacity: true)
        position = 0
        watch.forget(from: 0)
    }

    /// The walk that just ended is of another part, or was in the way of its orders: it does not count.
    func end(_ verdict: Verdict, state: MachineState) {
        if !watch.isEmpty && (verdict == .stopped || watch.isElsewhere) { walks.removeLast() }
    }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        let thread =
            watch.isEmpty ? walk.chooseThread(enabled, last: last, state: state) : allowedThread(enabled, last, state)
        if let thread {
            watch.note(Int(position), of: Int(thread), state)
            note(thread, state)
        }
        return thread
    }

    /// Nil: each thread has to wait for a step that none of them takes.
    private func allowedThread(_ enabled: UnsafeBufferPointer<UInt16>, _ last: UInt16, _ state: MachineState) -> UInt16?
    {
        allowed.removeAll(keepingCapacity: true)
        for thread in enabled where !watch.forbids(Int(thread), state) { allowed.append(thread) }
        if allowed.isEmpty { return nil }
        return allowed.withUnsafeBufferPointer { walk.chooseThread($0, last: last, state: state) }
    }

    private func note(_ thread: UInt16, _ state: MachineState) {
        position += 1
        let operation = state.operation(of: Int(thread))
        guard OrderedStep.counts(operation.kind), state.thread(Int(thread)).status == .announced else { return }
        let object = state.identity(of: operation.object)
        footprint.fill(with: Int(thread), state)
        let isChange = footprint.accesses.contains { $0.thing == Int32(operation.object) && $0.isWrite }
        if !isChange { unfit.insert(object) }
        let first = OrderedStep(thread: thread, object: object, number: 0)
        let nth = counts[first, default: 0]
        counts[first] = nth + 1
        if nth < Self.mostOfEach { place(OrderedStep(thread: thread, object: object, number: nth)) }
    }

    private func place(_ step: OrderedStep) {
        let number: Int
        if let known = numbers[step] {
            number = known
        } else {
            if steps.count == Self.most { return }
            number = steps.count
            steps.append(step)
            numbers[step] = number
        }
        let walk = walks.count - 1
        while walks[walk].count <= number { walks[walk].append(-1) }
        walks[walk][number] = position
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        walk.chooseAlternative(count, of: thread, state: state)
    }
}
