import Machine

/// Remembers the effects of steps. The key of an entry is everything that determines the effect, so a step with the
/// same key in another state need not be taken on the machine.
///
/// The same table stores the effects of steps on other threads' components (`Influence`).
struct StepMemory: ~Copyable {
    /// All that determines the effect of a step.
    struct Key: BitwiseCopyable {
        /// The shared component, and the thread's own.
        let shared: UInt32
        let own: UInt32
        /// For a step: the thread (from bit 22 on), whether others hold the lock (bits 21 and 20), and the alternative.
        /// For an influence: its number.
        let rest: UInt32

        /// The key of one alternative of a thread's step.
        ///
        /// - Parameter taken: whether another thread owns the step's lock, and whether others hold it as readers.
        @inline(__always)
        init(_ shared: UInt32, _ own: UInt32, thread: Int, taken: (byOwner: Bool, byReaders: Bool), way: Int) {
            self.shared = shared
            self.own = own
            rest =
                UInt32(truncatingIfNeeded: thread) << 22
                | (taken.byOwner ? 1 << 21 : 0) | (taken.byReaders ? 1 << 20 : 0)
                | UInt32(truncatingIfNeeded: way)
        }

        /// The key of the effect of an influence, given by its number, on another thread's component.
        @inline(__always) init(influence: UInt32, on own: UInt32) {
            shared = .max
            self.own = own
            rest = influence
        }

        var way: UInt32 { rest & 0xfffff }

        @inline(__always) fileprivate var hash: Int {
            let first = (UInt64(shared) << 32 | UInt64(own)) &* 0x9E37_79B9_7F4A_7C15
            let product = (first ^ UInt64(rest)).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
            return Int(truncatingIfNeeded: product.high ^ product.low)
        }
    }

    struct Entry: BitwiseCopyable {
        let key: Key
        /// The components after the step.
        var shared: UInt32 = 0
        var own: UInt32 = 0
        /// The number of the influence on other threads. 0: none.
        var influence: UInt32 = 0
        /// The number of alternatives of the step. 0: the thread cannot take it.
        var ways: UInt16 = 0
        /// Whether the step began another round of a loop without a counter.
        var hasLooped = false
        /// Whether the thread did, in the step, what it loops for.
        var isProgress = false
        /// Whether a fair scheduler takes each alternative at some time; `isDue`: whether fairness demands the step.
        var isFork = false
        var isDue = true
        /// Whether the step found something that nothing orders before it.
        var hasFoundUnordered = false
        /// Whether the place in the table is in use.
        fileprivate(set) var isUsed = true

        init(_ key: Key) { self.key = key }
    }

    private var entries: OwnedBuffer<Entry>
    private var mask: Int
    private var count = 0
    /// By number: the influences of steps on other threads.
    private var influences = OwnedBuffer<Influence>(capacity: 64)
    private var influenceCount = 1

    /// The number of places for entries at first, and the maximum number of entries.
    private static let firstSize = 1 << 9
    private static let most = 1 << 19
    /// Steps with more alternatives are not remembered.
    static let mostWays = 1 << 12

    init() {
        entries = Self.empty(Self.firstSize)
        mask = Self.firstSize - 1
        influences[0] = .none
    }

    private static func empty(_ size: Int) -> OwnedBuffer<Entry> {
        var entry = Entry(Key(influence: 0, on: 0))
        entry.isUsed = false
        return OwnedBuffer(repeating: entry, count: size)
    }

    /// The entry with this key. Valid until another one is added. Nil: there is none.
    @inline(__always) func find(_ key: Key) -> UnsafePointer<Entry>? {
        var place = key.hash & mask
        let entries = self.entries.base
        while entries[place].isUsed {
            let found = entries[place].key
            if found.shared == key.shared && found.own == key.own && found.rest == key.rest {
                return UnsafePointer(entries + place)
            }
            place = (place &+ 1) & mask
        }
        return nil
    }

    /// Adds the entry, unless it is known or the table is full.
    mutating func add(_ entry: Entry) {
        if count >= Self.most || find(entry.key) != nil { return }
        if count > (mask + 1) / 2 { grow() }
        put(entry)
        count += 1
    }

    private func put(_ entry: Entry) {
        var place = entry.key.hash & mask
        while entries[place].isUsed { place = (place + 1) & mask }
        entries[place] = entry
    }

    private mutating func grow() {
        let size = (mask + 1) * 2
        var old = Self.empty(size)
        swap(&old, &entries)
        let oldSize = mask + 1
        mask = size - 1
        for i in 0..<oldSize where old[i].isUsed { put(old[i]) }
    }

    func influence(_ number: UInt32) -> Influence { influences.base[Int(number)] }

    /// The number of the influence, which is added if it is new.
    mutating func number(of influence: Influence) -> UInt32 {
        for number in 0..<influenceCount where influences[number] == influence { return UInt32(number) }
        influences.reserve(influenceCount + 1, keeping: influenceCount)
        influences[influenceCount] = influence
        influenceCount += 1
        return UInt32(influenceCount - 1)
    }

    /// The memory in use, in bytes.
    var memory: Int { (mask + 1) * MemoryLayout<Entry>.stride + influences.capacity * 8 }
    /// The additional memory that the table will need when it grows soon, in bytes. 0: it does not.
    var memoryToGrow: Int {
        // The table grows when half of it, or 8/16, is in use.
        count < Self.most && count > (mask + 1) / 16 * 7 ? (mask + 1) * 2 * MemoryLayout<Entry>.stride : 0
    }
}
