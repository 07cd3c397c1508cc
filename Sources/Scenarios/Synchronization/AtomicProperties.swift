import Authoring

/// Properties whose getters and setters are atomic, and what that does not protect.
struct AtomicProperties: Scenario {
    static let name = "atomic-property"
    static let summary = "Atomic properties are read and set by two threads, one call at a time."
    static let lesson = """
        The getter and the setter of an atomic property are indivisible. The code that calls them is not: what one \
        call has returned may no longer hold at the next, and two properties that belong together are set one after \
        the other. Read the property once, and use what was read. Keep together what belongs together: one property \
        with an immutable value, which is replaced as a whole.

        All properties share a few spin locks, chosen by address. Two properties with the same lock wait for each \
        other, though no thread uses both: rarely, briefly, and for no reason that their code could show. Figures: \
        'run atomic-property --variant measured --native'.
        """
    static let guide: Guide? = .classDesign("Thread Safety", "Your Own Classes")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case checkThenUse = "check-then-use"
        case captured
        case tornPair = "torn-pair"
        case snapshot
        case collision
        case otherStripe = "other-stripe"
        case measured

        var summary: String {
            switch self {
            case .checkThenUse: "a thread tests that there are contents, then reads the property again"
            case .captured: "the thread reads the property once, and tests and uses what it has read"
            case .tornPair: "first and last name are two properties, and are set one after the other"
            case .snapshot: "the full name is one immutable value in one property"
            case .collision: "a setter waits for the lock of another property, which is held for long"
            case .otherStripe: "the two properties have different locks"
            case .measured: "the same lock, then different locks: how long the setter takes"
            }
        }

        var expectation: Expectation {
            switch self {
            case .checkThenUse, .tornPair: .may(.assertion)
            case .collision: .must(.assertion)
            case .captured, .snapshot, .otherStripe, .measured: .completes
            }
        }

        var guide: Guide? {
            switch self {
            case .collision, .otherStripe, .measured: .classDesign("Thread Safety", "Atomic Properties")
            default: nil
            }
        }

        var unusedParameters: Set<String> {
            switch self {
            case .collision, .otherStripe, .measured: ["pause"]
            default: ["hold"]
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.checkThenUse
    @Parameter("number of locks that all properties share", in: 2...128) var stripes = 2
    @Parameter("pause between two calls of a thread, and before the other thread's", in: .zero ... .seconds(1))
    var pause = Duration.milliseconds(1)
    @Parameter("how long a thread holds the lock of its property", in: .milliseconds(1) ... .seconds(10))
    var hold = Duration.milliseconds(100)

    var expectedDuration: Duration { (hold + pause) * 2 }

    func run() throws {
        let locks = try StripedLocks(count: stripes)
        switch variant {
        case .checkThenUse, .captured: try useContents(locks)
        case .tornPair: try renamePieces(locks)
        case .snapshot: try renameWhole(locks)
        case .collision: try setQuickly(locks, address: stripes)
        case .otherStripe: try setQuickly(locks, address: stripes + 1)
        case .measured:
            for (way, address) in [("same lock", stripes), ("another lock", stripes + 1)] {
                let meter = Meter("time to set, \(way)")
                try setWhileHeld(locks, address: address) { meter.record($0) }
            }
        }
    }

    private func useContents(_ locks: StripedLocks) throws {
        let contents = AtomicProperty<Int?>("contents", 1, in: locks, address: 0)
        let writer = try Thread("writer") {
            try Thread.sleep(for: pause)
            try contents.set(nil)
        }
        let drawer = try Thread("drawer") {
            let captured = try contents.get()
            guard captured != nil else { return }
            try Thread.sleep(for: pause)
            try draw(variant == .captured ? captured : contents.get())
        }
        try writer.join()
        try drawer.join()
    }

    private func draw(_ contents: Int?) throws {
        try check(contents != nil, "the contents are gone between the test and the use")
    }

    private static let (old, new) = (Name(first: 1, last: 1), Name(first: 2, last: 2))

    /// A name, represented by numbers.
    private struct Name: Sendable {
        let first: Int
        let last: Int
    }

    private func renamePieces(_ locks: StripedLocks) throws {
        let first = AtomicProperty("first name", Self.old.first, in: locks, address: 0)
        let last = AtomicProperty("last name", Self.old.last, in: locks, address: 1)
        let writer = try Thread("writer") {
            try Thread.sleep(for: pause)
            try first.set(Self.new.first)
            try last.set(Self.new.last)
        }
        let reader = try Thread("reader") {
            let seen = try first.get()
            try Thread.sleep(for: pause)
            try look(at: Name(first: seen, last: last.get()))
        }
        try reader.join()
        try writer.join()
    }

    private func renameWhole(_ locks: StripedLocks) throws {
        let name = AtomicProperty("name", Self.old, in: locks, address: 0)
        let reader = try Thread("reader") {
            try Thread.sleep(for: pause)
            try look(at: name.get())
        }
        let writer = try Thread("writer") {
            try Thread.sleep(for: pause)
            try name.set(Self.new)
        }
        try reader.join()
        try writer.join()
    }

    private func look(at seen: Name) throws {
        try check(seen.first == seen.last, "a name that the person never had: \(seen.first) \(seen.last)")
    }

    private func setQuickly(_ locks: StripedLocks, address: Int) throws {
        try setWhileHeld(locks, address: address) { time in
            try check(time < hold / 2, "the setter waited for a property that it does not use")
        }
    }

    /// - Parameters:
    ///   - address: the address of a property that only the setter uses.
    ///   - took: receives the duration of the setter.
    private func setWhileHeld(
        _ locks: StripedLocks, address: Int, took: @escaping @Sendable (Duration) throws -> Void
    ) throws {
        let own = AtomicProperty("own property", 0, in: locks, address: address)
        let isHeld = try Semaphore("the lock is held", value: 0)
        let holder = try Thread("holder") {
            // Simulates a getter or setter whose thread lost its processor.
            try locks.withLock(of: 0) {
                try isHeld.signal()
                try Thread.sleep(for: hold)
            }
        }
        let setter = try Thread("setter") {
            try isHeld.wait()
            let before = Instant.now
            try own.set(1)
            try took(Instant.now - before)
        }
        try holder.join()
        try setter.join()
    }
}
