import Authoring

/// Separate values for each thread.
struct ThreadDictionaryScenario: Scenario {
    static let name = "thread-dictionary"
    static let summary = "Each thread counts in its own dictionary, which no other thread can reach."
    static let lesson = """
        Thread-local storage gives every thread a value of its own under the same name. It lasts from one call to \
        the next. It needs no lock, because no other thread can reach it, and for the same reason it cannot pass a \
        value to another thread. It ends with its thread: a destructor can clean up then.
        """
    static let guide: Guide? = .threads("Configuring Thread-Local Storage")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case separate
        case destructor
        case otherThread = "other-thread"

        var summary: String {
            switch self {
            case .separate: "two threads use the same key, and each finds its own value"
            case .destructor: "a slot's destructor writes back what the thread has counted, when it ends"
            case .otherThread: "the main thread looks in its own dictionary for what a worker stored"
            }
        }

        var expectation: Expectation { self == .otherThread ? .must(.assertion) : .completes }
    }

    @Parameter("variant of the program") var variant = Variant.separate
    @Parameter("number of rounds in which each thread counts", in: 1...100) var rounds = 2

    private static let key = "count"

    func run() throws {
        switch variant {
        case .separate: try countApart()
        case .destructor: try countInSlots()
        case .otherThread:
            let worker = try Thread("worker") { ThreadDictionary.current.set(Self.key, 1) }
            try worker.join()
            let found: Int? = ThreadDictionary.current.value(Self.key)
            try check(found == 1, "main's dictionary does not have what the worker stored in its own")
        }
    }

    private func countApart() throws {
        let workers = try (1...2).map { number in
            try Thread("worker \(number)") {
                for _ in 1...rounds {
                    let count: Int = ThreadDictionary.current.value(Self.key) ?? 0
                    ThreadDictionary.current.set(Self.key, count + 1)
                    try Thread.yield()
                }
                let count: Int? = ThreadDictionary.current.value(Self.key)
                try check(count == rounds, "another thread has counted here too")
            }
        }
        for worker in workers { try worker.join() }
    }

    /// A thread's count. Only that thread uses it.
    private final class Count: @unchecked Sendable { var value = 0 }

    private func countInSlots() throws {
        let total = Atomic("total", 0)
        let slot = try ThreadSlot<Count>("count") { count in _ = try? total.add(count.value) }
        let workers = try (1...2).map { number in
            try Thread("worker \(number)") {
                let count = Count()
                slot.set(count)
                for _ in 1...rounds { count.value += 1 }
            }
        }
        for worker in workers { try worker.join() }
        try check(total.load() == 2 * rounds, "a thread's count is missing")
    }
}
