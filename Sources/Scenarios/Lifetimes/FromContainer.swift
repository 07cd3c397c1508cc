import Authoring

/// An object that is fetched from a container while another thread removes it.
struct FromContainer: Scenario {
    static let name = "from-container"
    static let summary = "A reader fetches an object from a container; another thread removes and releases it."
    static let lesson = """
        The lock protects the container. It does not protect the objects in it: what a reader has fetched may be \
        removed and freed before the reader retains it. Retain the object in the same locked section, and release it \
        when you are done. An atomic getter does that for its callers: it retains under the lock, and leaves the \
        reference to the pool of the thread that calls it.

        That the object never changes does not help: threads may read an immutable object without a lock, but its \
        references have to be balanced all the same. A release without a retain takes another thread's reference.
        """
    static let guide: Guide? = .synchronization("Be Aware of Threats to Code Correctness")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case fetched
        case retainedLate = "retained-late"
        case retained
        case autoreleased
        case overReleased = "over-released"

        var summary: String {
            switch self {
            case .fetched: "the reader uses the object without a reference of its own"
            case .retainedLate: "the reader retains the object after it has released the lock"
            case .retained: "the reader retains the object in the section that fetches it"
            case .overReleased: "the reader releases an object that it has not retained"
            case .autoreleased: "the getter retains it under the lock, and leaves it to the reader's pool"
            }
        }

        var expectation: Expectation {
            switch self {
            case .fetched, .retainedLate, .overReleased: .may(.misuse)
            case .retained, .autoreleased: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.fetched
    @Parameter("how often the reader uses the object", in: 1...100) var uses = 1
    @Parameter("pause after the fetch, and before the removal", in: .zero ... .seconds(1))
    var pause = Duration.milliseconds(1)

    var expectedDuration: Duration { pause * 2 }

    func run() throws {
        let container = Container()
        let remover = try Thread("remover") {
            try Thread.sleep(for: pause)
            try container.remove().release()
        }
        let reader = try Thread("reader") {
            switch variant {
            case .fetched: if let object = try container.object() { try use(object) }
            case .retainedLate: if let object = try container.object() { try useWithReference(object, retain: true) }
            case .overReleased: if let object = try container.object() { try useWithReference(object, retain: false) }
            case .retained:
                if let object = try container.retainedObject() { try useWithReference(object, retain: false) }
            case .autoreleased:
                try withAutoreleasePool {
                    guard let object = try container.retainedObject() else { return }
                    try object.autorelease()
                    try use(object)
                }
            }
        }
        try reader.join()
        try remover.join()
    }

    private func use(_ object: ManagedObject) throws {
        try Thread.sleep(for: pause)
        for _ in 1...uses { try object.use() }
    }

    private func useWithReference(_ object: ManagedObject, retain: Bool) throws {
        if retain {
            try Thread.sleep(for: pause)
            try object.retain()
        }
        try use(object)
        try object.release()
    }

    /// Holds one object, and a reference to it.
    private final class Container: Sendable {
        private let lock = Mutex("lock")
        private let element = ManagedObject("element")
        private let isThere = Shared("the element is there", true)

        func object() throws -> ManagedObject? {
            try lock.withLock { try isThere.read() ? element : nil }
        }

        /// The caller has to release it.
        func retainedObject() throws -> ManagedObject? {
            try lock.withLock {
                guard try isThere.read() else { return nil }
                try element.retain()
                return element
            }
        }

        /// Passes the container's reference to the caller.
        func remove() throws -> ManagedObject {
            try lock.withLock {
                try isThere.write(false)
                return element
            }
        }
    }
}
