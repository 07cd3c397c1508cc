import Authoring

/// A cache of two collections: the images, and when each was last used.
struct ImageCache: Scenario {
    static let name = "image-cache"
    static let summary = "A viewer reads images from a cache, and another thread evicts the least recently used one."
    static let lesson = """
        Collections that lock each of their calls are safe, and the cache built on them is not: between the test and \
        the access, or between the image and its entry in the list, the other thread comes in. What belongs together \
        needs one lock, one level higher, around both collections; that is why Foundation has no thread-safe \
        collections, and does have a thread-safe cache. A serial queue is such a lock: every use of the cache is a \
        block of it, the eviction need not wait for its turn, and the cache can check that it is used nowhere else. \
        The collections inside need no locks.
        """
    static let guide: Guide? = .classDesign("Thread Safety", "Collection Classes")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case checkThenAct = "check-then-act"
        case twoCollections = "two-collections"
        case lock
        case queue

        var summary: String {
            switch self {
            case .checkThenAct: "each collection has a lock, and the viewer tests and fetches in two calls"
            case .twoCollections: "each collection has a lock, and the list gets its entry after the fetch"
            case .lock: "one lock for both collections, held for the whole use"
            case .queue: "both collections are used on one serial queue only"
            }
        }

        var expectation: Expectation {
            switch self {
            case .checkThenAct, .twoCollections: .may(.assertion)
            case .lock, .queue: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.checkThenAct
    @Parameter("number of images", in: 1...20) var images = 2
    @Parameter("time that the viewer takes in the middle of a use", in: .zero ... .milliseconds(100))
    var pause = Duration.milliseconds(1)

    var expectedDuration: Duration { pause * images }

    func run() throws {
        let cache = try Cache(variant, images, pause)
        let memory = try Thread("memory") {
            try Thread.sleep(for: pause / 2)
            try cache.evict()
        }
        for key in 0..<images {
            let image = try cache.image(key)
            try check(image == key + 1, "image \(key + 1) was evicted between the test and the access")
        }
        try memory.join()
        try check(cache.isConsistent(), "the list and the images of the cache do not agree")
    }

    private struct Cache: Sendable {
        private let variant: Variant
        private let pause: Duration
        private let images: Table
        private let lastUses: Table
        private let lock = Mutex("cache lock")
        private let queue: WorkQueue

        init(_ variant: Variant, _ count: Int, _ pause: Duration) throws {
            self.variant = variant
            self.pause = pause
            let areSafe = variant == .checkThenAct || variant == .twoCollections
            images = Table("image", count, isSafe: areSafe)
            lastUses = Table("last use of image", count, isSafe: areSafe)
            queue = try WorkQueue("cache")
        }

        func image(_ key: Int) throws -> Int { try exclusively { try use(key) } }

        /// Removes the image that has not been used for the longest time.
        func evict() throws {
            if variant == .queue { return try queue.async { try removeOldest() } }
            try exclusively { try removeOldest() }
        }

        func isConsistent() throws -> Bool {
            try exclusively { try images.keys() == lastUses.keys() }
        }

        private func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
            switch variant {
            case .checkThenAct, .twoCollections: try body()
            case .lock: try lock.withLock(body)
            case .queue: try queue.sync(body)
            }
        }

        private func use(_ key: Int) throws -> Int {
            if variant == .queue { try precondition(onQueue: queue) }
            if variant == .checkThenAct {
                guard try images[key] != nil else { return try load(key) }
                try Thread.sleep(for: pause)
                return try images[key] ?? 0
            }
            guard let image = try images[key] else { return try load(key) }
            try Thread.sleep(for: pause)
            try lastUses.set(key, lastUses.greatest() + 1)
            return image
        }

        private func load(_ key: Int) throws -> Int {
            try images.set(key, key + 1)
            try lastUses.set(key, lastUses.greatest() + 1)
            return key + 1
        }

        private func removeOldest() throws {
            if variant == .queue { try precondition(onQueue: queue) }
            guard let oldest = try lastUses.keyOfLeast() else { return }
            note("evicts image \(oldest + 1)")
            try images.set(oldest, nil)
            try lastUses.set(oldest, nil)
        }
    }

    /// A dictionary. A safe one holds its lock during each call.
    private struct Table: Sendable {
        /// The values by key. 0: the key is absent.
        private let values: [Shared<Int>]
        private let lock: Mutex?

        /// Fills the table: the value of each key, from 0, is the key plus one.
        init(_ name: String, _ count: Int, isSafe: Bool) {
            values = (1...count).map { Shared("\(name) \($0)", $0) }
            lock = isSafe ? Mutex("lock of \(name)") : nil
        }

        subscript(key: Int) -> Int? {
            get throws { try call { try values[key].read() }.nonZero }
        }

        func set(_ key: Int, _ value: Int?) throws { try call { try values[key].write(value ?? 0) } }
        func greatest() throws -> Int { try call { try values.map { try $0.read() }.max() ?? 0 } }
        func keys() throws -> [Int] { try call { try values.indices.filter { try values[$0].read() > 0 } } }

        func keyOfLeast() throws -> Int? {
            try call {
                let all = try values.map { try $0.read() }
                return all.indices.filter { all[$0] > 0 }.min { all[$0] < all[$1] }
            }
        }

        private func call<Result>(_ body: () throws -> Result) throws -> Result {
            guard let lock else { return try body() }
            return try lock.withLock(body)
        }
    }
}

extension Int {
    fileprivate var nonZero: Int? { self == 0 ? nil : self }
}
