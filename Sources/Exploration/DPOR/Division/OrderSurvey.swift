import Machine

/// Random walks through a program that note in which order its threads change objects.
final class OrderSurvey: Strategy {
    private let walk: RandomWalk
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

    init(seed: UInt64) { walk = RandomWalk(seed: seed) }

    deinit { footprint.deallocate() }

    /// Whether all executions of one kind have the step's object in the same order.
    func isFit(_ step: Int) -> Bool { !unfit.contains(steps[step].object) }

    func prepare(_ number: Int) -> Bool { walk.prepare(number) }

    func begin() {
        walk.begin()
        walks.append([])
        counts.removeAll(keepingCapacity: true)
        position = 0
    }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        let thread = walk.chooseThread(enabled, last: last, state: state)
        if let thread { note(thread, state) }
        return thread
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
