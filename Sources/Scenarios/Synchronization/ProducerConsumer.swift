import Authoring

/// Threads that make items, threads that use them, and a buffer of limited size between them.
struct ProducerConsumer: Scenario {
    static let name = "producer-consumer"
    static let summary = "Producers pass items to consumers through a buffer of limited size."
    static let lesson = """
        A producer waits while the buffer is full, a consumer while it is empty, and only one thread at a time may \
        modify the buffer. Two conditions and a mutex achieve this, or two semaphores and a mutex, or condition \
        locks, or a queue that hides it all. Each broken variant differs from a correct one by a single mistake, and \
        passes most tests.

        The guide's own solution, `condition-lock`, has no limit: a producer never waits for room. With a second \
        condition lock, as in `two-condition-locks`, it does.

        What to try: `one-condition` with `--capacity 2`. It fails only with more than twice as many threads as \
        slots, and so passes tests that use few threads. And more of everything: `--producers 2 --items 5`.
        """
    static let guide: Guide? = .synchronization("Using an NSConditionLock Object")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case conditions
        case semaphores
        case conditionLock = "condition-lock"
        case twoConditionLocks = "two-condition-locks"
        case queue
        case ifForWhile = "if-for-while"
        case oneCondition = "one-condition"
        case signalWithoutLock = "signal-without-lock"
        case plainUnlock = "plain-unlock"
        case noLock = "no-lock"

        var summary: String {
            switch self {
            case .conditions: "a mutex, and one condition each for \"not full\" and \"not empty\""
            case .semaphores: "a semaphore that counts free slots, one that counts items, and a mutex"
            case .conditionLock: "the guide's: a condition lock, NO_DATA or HAS_DATA, and no limit to the buffer"
            case .twoConditionLocks: "a second condition lock, NO_ROOM or HAS_ROOM, limits the buffer"
            case .queue: "a bounded queue, whose operations wait by themselves"
            case .ifForWhile: "the predicate is tested before the wait, but not again after it"
            case .oneCondition: "all threads wait on one condition, so a signal may wake the wrong kind of thread"
            case .signalWithoutLock: "the predicate is atomic, but changed and signaled without the mutex"
            case .plainUnlock: "a producer unlocks the condition lock without a condition, and wakes no consumer"
            case .noLock: "each thread tests the buffer and then modifies it without any lock"
            }
        }

        var isRareOnRealThreads: Bool { self == .ifForWhile || self == .signalWithoutLock }

        var expectation: Expectation {
            switch self {
            case .conditions, .semaphores, .conditionLock, .twoConditionLocks, .queue: .completes
            case .ifForWhile: .may(.assertion)
            case .oneCondition, .signalWithoutLock: .may(.deadlock)
            case .plainUnlock: .must(.deadlock)
            case .noLock: .must(.assertion).orElse(.race)
            }
        }

        var guide: Guide? {
            switch self {
            case .conditions, .oneCondition, .signalWithoutLock: .synchronization("Using Conditions")
            case .ifForWhile: .synchronization("Using POSIX Conditions")
            case .semaphores: .synchronization("Conditions")
            case .queue: .basics("Inter-thread Communication")
            case .noLock: .synchronization("Using Locks")
            case .conditionLock, .twoConditionLocks, .plainUnlock: nil
            }
        }

        var unusedParameters: Set<String> {
            switch self {
            case .conditionLock, .plainUnlock: ["capacity"]
            default: []
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.conditions
    @Parameter("number of producer threads", in: 1...16) var producers = 1
    @Parameter("number of consumer threads", in: 1...16) var consumers = 2
    @Parameter("capacity of the buffer, in items", in: 1...64) var capacity = 1
    @Parameter("items made by each producer", in: 1...100) var items = 2

    /// Some mistakes matter only with several threads or a full buffer.
    var expectation: Expectation {
        switch variant {
        case .oneCondition where producers + consumers <= 2 * capacity: return .completes
        case .oneCondition where capacity > 1 || items == 1: return .completes.orElse(.deadlock)
        case .ifForWhile where items == 1 || (consumers == 1 && (producers == 1 || items <= capacity)):
            return .completes.orElse(.assertion)
        case .noLock where producers == 1 && (consumers == 1 || items == 1): return .must(.race)
        default: return variant.expectation
        }
    }

    var expectedSteps: Int { producers * items * (producers + consumers) * 10 }

    func run() throws {
        let buffer = try makeBuffer()
        let makers = try (0..<producers).map { producer in
            try Thread("producer \(producer + 1)") {
                for number in 1...items { try buffer.put(producer * items + number) }
            }
        }
        let baskets = (0..<consumers).map { Basket(size: share(of: $0)) }
        let users = try baskets.enumerated().map { consumer, basket in
            try Thread("consumer \(consumer + 1)") {
                for _ in 0..<basket.size { basket.items.append(try buffer.take()) }
            }
        }
        for thread in makers + users { try thread.join() }
        try checkEachOnce(baskets.flatMap(\.items))
    }

    /// What one consumer took. Other threads may access it only after they have joined the consumer.
    private final class Basket: @unchecked Sendable {
        let size: Int
        var items: [Int] = []

        init(size: Int) { self.size = size }
    }

    private var total: Int { producers * items }

    /// The number of items that a consumer takes, from which each consumer knows when it is done.
    private func share(of consumer: Int) -> Int {
        total / consumers + (consumer < total % consumers ? 1 : 0)
    }

    private func checkEachOnce(_ taken: [Int]) throws {
        var times = [Int](repeating: 0, count: total + 1)
        for item in taken { times[item] += 1 }
        for item in 1...total { try check(times[item] == 1, "item \(item) was consumed \(times[item]) times") }
    }

    private func makeBuffer() throws -> any Buffer {
        switch variant {
        case .conditions:
            return ConditionBuffer(ring: makeRing(), notFull: Condition("not full"), notEmpty: Condition("not empty"))
        case .oneCondition:
            let changed = Condition("changed")
            return ConditionBuffer(ring: makeRing(), notFull: changed, notEmpty: changed)
        case .semaphores:
            let free = try Semaphore("free", value: capacity)
            let used = try Semaphore("used", value: 0)
            return SemaphoreBuffer(ring: makeRing(), free: free, used: used)
        case .signalWithoutLock:
            let free = CarelessSemaphore("free", value: capacity)
            let used = CarelessSemaphore("used", value: 0)
            return SemaphoreBuffer(ring: makeRing(), free: free, used: used)
        case .conditionLock: return ConditionLockBuffer(ring: Ring(capacity: total), setsCondition: true)
        case .plainUnlock: return ConditionLockBuffer(ring: Ring(capacity: total), setsCondition: false)
        case .twoConditionLocks:
            return TwoConditionLocksBuffer(ring: makeRing(), places: Shared("places", capacity))
        case .ifForWhile: return HastyBuffer(ring: makeRing())
        case .noLock: return UnlockedBuffer(ring: makeRing())
        case .queue: return QueueBuffer(queue: try BoundedQueue("queue", capacity: capacity))
        }
    }

    private func makeRing() -> Ring { Ring(capacity: capacity) }
}

/// The buffer between producers and consumers.
private protocol Buffer: Sendable {
    /// Waits until there is room, and adds the item.
    func put(_ item: Int) throws
    /// Waits until there is an item, and takes the first.
    func take() throws -> Int
}

/// The textbook solution. With one condition in place of the two, it becomes the broken variant `one-condition`.
private struct ConditionBuffer: Buffer {
    let ring: Ring
    let mutex = Mutex("buffer")
    let notFull: Condition
    let notEmpty: Condition

    func put(_ item: Int) throws {
        try mutex.withLock {
            while try ring.isFull() { try notFull.wait(with: mutex) }
            try ring.append(item)
            try notEmpty.signal()
        }
    }

    func take() throws -> Int {
        try mutex.withLock {
            while try ring.isEmpty() { try notEmpty.wait(with: mutex) }
            let item = try ring.removeFirst()
            try notFull.signal()
            return item
        }
    }
}

/// Broken: a thread that was woken assumes that its predicate still holds.
private struct HastyBuffer: Buffer {
    let ring: Ring
    let mutex = Mutex("buffer")
    let notFull = Condition("not full")
    let notEmpty = Condition("not empty")

    func put(_ item: Int) throws {
        try mutex.withLock {
            if try ring.isFull() { try notFull.wait(with: mutex) }
            try ring.append(item)
            try notEmpty.signal()
        }
    }

    func take() throws -> Int {
        try mutex.withLock {
            if try ring.isEmpty() { try notEmpty.wait(with: mutex) }
            let item = try ring.removeFirst()
            try notFull.signal()
            return item
        }
    }
}

/// Permits that threads take, or wait for.
private protocol Permits: Sendable {
    func take() throws
    func give() throws
}

extension Semaphore: Permits {
    fileprivate func take() throws { try wait() }
    fileprivate func give() throws { try signal() }
}

/// Broken: a hand-made semaphore. Between a waiter's test of the number and its wait, another thread may return a
/// permit and signal while no thread waits.
private struct CarelessSemaphore: Permits {
    private let number: Atomic<Int>
    private let mutex: Mutex
    private let changed: Condition

    init(_ name: String, value: Int) {
        number = Atomic(name, value)
        mutex = Mutex("\(name)'s mutex")
        changed = Condition("\(name) changed")
    }

    func take() throws {
        try mutex.withLock {
            while try number.load() == 0 { try changed.wait(with: mutex) }
            try number.add(-1)
        }
    }

    func give() throws {
        try number.add(1)
        try changed.signal()
    }
}

/// Each permit stands for a slot: a free one, or one with an item.
private struct SemaphoreBuffer: Buffer {
    let ring: Ring
    let mutex = Mutex("buffer")
    let free: any Permits
    let used: any Permits

    func put(_ item: Int) throws {
        try free.take()
        try mutex.withLock { try ring.append(item) }
        try used.give()
    }

    func take() throws -> Int {
        try used.take()
        let item = try mutex.withLock { try ring.removeFirst() }
        try free.give()
        return item
    }
}

/// Broken: tests the ring and then modifies it, while another thread may do so too.
private struct UnlockedBuffer: Buffer {
    private static let patience = 100  // attempts after which a thread gives up

    let ring: Ring

    func put(_ item: Int) throws {
        try poll { try !ring.isFull() }
        try ring.append(item)
    }

    func take() throws -> Int {
        try poll { try !ring.isEmpty() }
        return try ring.removeFirst()
    }

    private func poll(until isReady: () throws -> Bool) throws {
        var attempts = 0
        while try !isReady() {
            attempts += 1
            try check(attempts < Self.patience, "gave up after \(attempts) attempts: puts and takes are miscounted")
            try Thread.sleep(for: .milliseconds(1))
        }
    }
}

/// The conditions of the guide's lock.
private enum Data {
    static let none = 0
    static let some = 1
    static let names = [none: "NO_DATA", some: "HAS_DATA"]
}

/// The guide's solution: a producer takes the lock in any condition, a consumer when it has data.
private struct ConditionLockBuffer: Buffer {
    let ring: Ring
    /// If false, it is broken: the lock stays at NO_DATA, which no consumer waits for.
    let setsCondition: Bool
    let lock = ConditionLock("buffer", condition: Data.none, names: Data.names)

    func put(_ item: Int) throws {
        try lock.lock()
        try ring.append(item)
        if setsCondition { try lock.unlock(withCondition: Data.some) } else { try lock.unlock() }
    }

    func take() throws -> Int {
        try lock.lock(whenCondition: Data.some)
        let item = try ring.removeFirst()
        try lock.unlock(withCondition: ring.isEmpty() ? Data.none : Data.some)
        return item
    }
}

/// The same, with a second lock that admits producers while there is room. No thread holds both locks at once.
private struct TwoConditionLocksBuffer: Buffer {
    private enum Room {
        static let none = 0
        static let some = 1
        static let names = [none: "NO_ROOM", some: "HAS_ROOM"]
    }

    let ring: Ring
    let data = ConditionLock("data", condition: Data.none, names: Data.names)
    let room = ConditionLock("room", condition: Room.some, names: Room.names)
    /// The number of slots that are neither used nor reserved; protected by `room`.
    let places: Shared<Int>

    func put(_ item: Int) throws {
        try room.lock(whenCondition: Room.some)
        let left = try places.read() - 1
        try places.write(left)
        try room.unlock(withCondition: left == 0 ? Room.none : Room.some)

        try data.lock()
        try ring.append(item)
        try data.unlock(withCondition: Data.some)
    }

    func take() throws -> Int {
        try data.lock(whenCondition: Data.some)
        let item = try ring.removeFirst()
        try data.unlock(withCondition: ring.isEmpty() ? Data.none : Data.some)

        try room.lock()
        try places.update { $0 + 1 }
        try room.unlock(withCondition: Room.some)
        return item
    }
}

private struct QueueBuffer: Buffer {
    let queue: BoundedQueue<Int>

    func put(_ item: Int) throws { try queue.put(item) }

    /// The queue is never closed, so there is always another item.
    func take() throws -> Int { try queue.take() ?? Ring.nothing }
}
