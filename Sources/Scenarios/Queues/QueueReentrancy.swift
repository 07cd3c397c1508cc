import Authoring

/// A queue is not a recursive lock: a block that waits for its own queue waits for itself.
struct QueueReentrancy: Scenario {
    static let name = "queue-reentrancy"
    static let summary = "A block of a queue calls a method that waits for the same queue."
    static let lesson = """
        Each account has a serial queue, and every method runs its work there with `sync`. It works until one method \
        calls another: the block that runs holds the queue, `sync` waits until the queue is free, and a queue is no \
        recursive lock. The way back to the first queue can lead through a second one, or through a queue that both \
        target. "Is this the current queue?" is no answer: of several queues that the thread holds, it sees only the \
        innermost. The fix is to know on which queue a method runs: public methods enter the queue, and private ones \
        require that the caller has.
        """
    static let guide: Guide? = .classDesign(
        "Pitfalls of GCD", "Using GCD as a Recursive Lock")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case itself
        case twoQueues = "two-queues"
        case target
        case isCurrent = "is-current"
        case opposite
        case entered
        case specific

        var summary: String {
            switch self {
            case .itself: "a method of the account calls another one, which waits for the account's queue"
            case .twoQueues: "the bank's queue comes between them"
            case .target: "the account's queue targets the bank's, and its block waits for the bank's"
            case .isCurrent: "a method waits only if its queue is not the current one; the bank's comes in between"
            case .opposite: "two accounts pay each other at the same time"
            case .entered: "the private method requires that the caller has entered the queue, and does not wait"
            case .specific: "data of the queue tells the target's block where it runs, so that it does not wait"
            }
        }

        var expectation: Expectation {
            switch self {
            case .itself, .twoQueues, .target, .isCurrent: .must(.deadlock)
            case .opposite: .may(.deadlock)
            case .entered, .specific: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.itself

    func run() throws {
        let bank = Account(try WorkQueue("bank"))
        switch variant {
        case .itself, .entered:
            try bank.queue.sync { try variant == .itself ? bank.add(1) : bank.addEntered(1) }
        case .twoQueues, .isCurrent:
            let account = Account(try WorkQueue("account"))
            try account.queue.sync {
                try bank.queue.sync { try variant == .twoQueues ? account.add(1) : account.addUnlessCurrent(1) }
            }
        case .target, .specific:
            let account = Account(try WorkQueue("account", target: bank.queue))
            try account.queue.sync { try variant == .target ? bank.add(1) : bank.addUnlessCurrent(1) }
        case .opposite:
            let other = Account(try WorkQueue("account"))
            let done = try Latch("both are done", count: 2)
            for (from, to) in [(bank, other), (other, bank)] {
                try from.queue.async {
                    try to.add(1)
                    try done.countDown()
                }
            }
            try done.wait()
        }
    }

    /// A balance that its queue protects.
    private final class Account: Sendable {
        let queue: WorkQueue
        private let balance = Shared("balance", 0)
        private let key = WorkQueue.SpecificKey<Bool>()

        init(_ queue: WorkQueue) {
            self.queue = queue
            queue.setSpecific(key, true)
        }

        func add(_ amount: Int) throws { try queue.sync { try addEntered(amount) } }

        /// For callers that already run on the queue.
        func addEntered(_ amount: Int) throws {
            try precondition(onQueue: queue)
            try balance.write(balance.read() + amount)
        }

        /// Does not wait if the account's queue is the current queue or a target of it.
        func addUnlessCurrent(_ amount: Int) throws {
            if WorkQueue.getSpecific(key) == true { try addEntered(amount) } else { try add(amount) }
        }
    }
}
