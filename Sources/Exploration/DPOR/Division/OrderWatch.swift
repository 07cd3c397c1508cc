import Machine

/// Keeps an execution within the part that is searched: for each of the part's orders, the later step has to wait for
/// the earlier one.
struct OrderWatch {
    /// A thread's steps on an object, up to the one to which an order refers: their numbers in the trail.
    private struct Taken {
        let step: OrderedStep
        private(set) var numbers: [Int] = []

        init(step: OrderedStep) { self.step = step }

        /// The step's number in the trail. Nil: it has not been taken.
        var place: Int? { isTaken ? numbers[step.number] : nil }
        var isTaken: Bool { numbers.count > step.number }
        var isNext: Bool { numbers.count == step.number }

        mutating func note(_ number: Int) { numbers.append(number) }

        mutating func forget(from number: Int) {
            while let last = numbers.last, last >= number { numbers.removeLast() }
        }
    }

    private let orders: [SearchPart.Order]
    /// For each order, its earlier step (at an even index) and its later step (at the next index).
    private var taken: [Taken]
    /// The threads of all these steps, as bits, and (`waitingThreads`) of the later ones. Threads whose numbers are
    /// equal modulo 64 share a bit.
    private let threads: UInt64
    private let waitingThreads: UInt64
    /// The greatest number in `taken`, or a greater one.
    private var greatest = -1
    /// Of the steps to which orders refer: the number of those that have not been taken, and of earlier steps among
    /// them (`openOrders`). In most of an execution both are 0, so that nothing has to be examined.
    private var openSteps: Int
    private var openOrders: Int

    init(_ part: SearchPart) {
        orders = part.orders
        taken = orders.flatMap { [Taken(step: $0.earlier), Taken(step: $0.later)] }
        openSteps = 2 * orders.count
        openOrders = orders.count
        waitingThreads = orders.reduce(0) { $0 | Self.bit(Int($1.later.thread)) }
        threads = orders.reduce(waitingThreads) { $0 | Self.bit(Int($1.earlier.thread)) }
    }

    private static func bit(_ thread: Int) -> UInt64 { 1 << UInt64(thread & 63) }

    /// Whether the part contains every execution.
    var isEmpty: Bool { orders.isEmpty }

    /// Forgets the steps from this number on, because the trail has been cut there.
    mutating func forget(from number: Int) {
        if greatest < number { return }
        (openSteps, openOrders) = (0, 0)
        for index in taken.indices {
            taken[index].forget(from: number)
            if taken[index].isTaken { continue }
            openSteps += 1
            if Self.isEarlier(index) { openOrders += 1 }
        }
        greatest = number - 1
    }

    /// Records that the thread takes its next step, which gets this number in the trail.
    mutating func note(_ number: Int, of thread: Int, _ state: MachineState) {
        guard openSteps > 0, threads & Self.bit(thread) != 0, let object = object(of: thread, state) else { return }
        for index in taken.indices where !taken[index].isTaken && isConcerned(index, thread, object) {
            taken[index].note(number)
            greatest = number
            guard taken[index].isTaken else { continue }
            openSteps -= 1
            if Self.isEarlier(index) { openOrders -= 1 }
        }
    }

    private static func isEarlier(_ index: Int) -> Bool { index & 1 == 0 }

    /// Whether the thread's next step has to wait for another step.
    func forbids(_ thread: Int, _ state: MachineState) -> Bool {
        guard openOrders > 0, waitingThreads & Self.bit(thread) != 0, let object = object(of: thread, state) else {
            return false
        }
        return orders.indices.contains { order in
            let later = 2 * order + 1
            return isConcerned(later, thread, object) && taken[later].isNext && taken[later - 1].place == nil
        }
    }

    /// Whether the step with this number in the trail has to wait for a step that was not taken, or for which `isThere`
    /// is false.
    func forbids(_ number: Int, after isThere: (Int) -> Bool) -> Bool {
        if number > greatest { return false }
        return orders.indices.contains { order in
            guard taken[2 * order + 1].place == number else { return false }
            return !(taken[2 * order].place.map(isThere) ?? false)
        }
    }

    /// Whether the execution, which is over, belongs to another part.
    var isElsewhere: Bool {
        openOrders > 0 && orders.indices.contains { orders[$0].needsEarlier && !taken[2 * $0].isTaken }
    }

    /// The object that the thread's next step changes. Nil: the step is not of a kind that orders refer to.
    private func object(of thread: Int, _ state: MachineState) -> ObjectIdentity? {
        let operation = state.operation(of: thread)
        guard OrderedStep.counts(operation.kind), state.thread(thread).status == .announced else { return nil }
        return state.identity(of: operation.object)
    }

    /// Whether `taken[index]` is about steps of this thread on this object.
    private func isConcerned(_ index: Int, _ thread: Int, _ object: ObjectIdentity) -> Bool {
        Int(taken[index].step.thread) == thread && taken[index].step.object == object
    }
}
