import Machine

/// What was seen of steps, by what decides it, so that a step that is taken in another state needs no machine.
///
/// The same table holds what steps do to other threads' components.
struct StepMemory: ~Copyable {
    /// What decides what a step does.
    struct Key: BitwiseCopyable {
        /// The shared component, and the thread's own.
        let shared: UInt32
        let own: UInt32
        /// Everything else.
        let rest: UInt32

        /// A thread's step in one of its ways.
        ///
        /// - Parameter taken: whether other threads hold the lock that it concerns, as a writer or mutex; and as readers.
        @inline(__always)
        init(_ shared: UInt32, _ own: UInt32, thread: Int, taken: (Bool, Bool), way: Int) {
            self.shared = shared
            self.own = own
            rest =
                UInt32(truncatingIfNeeded: thread) << 22 | (taken.0 ? 1 << 21 : 0) | (taken.1 ? 1 << 20 : 0)
                | UInt32(truncatingIfNeeded: way)
        }

        /// What an influence, known by its number, does to another thread's component.
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
        /// The components afterwards.
        var shared: UInt32 = 0
        var own: UInt32 = 0
        /// The number of what it does to other threads. 0: nothing.
        var influence: UInt32 = 0
        /// The number of its ways. 0: the thread cannot take it.
        var ways: UInt16 = 0
        /// Whether the step began another round of a loop that nothing counts.
        var hasLooped = false
        /// Whether the thread did in it what it loops for.
        var isProgress = false
        /// Whether a fair scheduler takes each of its ways at some time, and whether it owes the thread the step.
        var isFork = false
        var isDue = true
        /// Whether it found something that nothing orders before it.
        var hasFoundUnordered = false
        /// Whether the place in the table is in use.
        fileprivate(set) var isUsed = true

        init(_ key: Key) { self.key = key }
    }

    private var entries: OwnedBuffer<Entry>
    private var mask: Int
    private var count = 0
    /// By number: what steps do to others.
    private var influences = OwnedBuffer<Influence>(capacity: 64)
    private var influenceCount = 1

    /// More are not remembered.
    private static let most = 1 << 19
    /// Steps with more ways are not remembered.
    static let mostWays = 1 << 12

    init() {
        entries = Self.empty(1 << 9)
        mask = (1 << 9) - 1
        influences[0] = .none
    }

    private static func empty(_ size: Int) -> OwnedBuffer<Entry> {
        var entry = Entry(Key(influence: 0, on: 0))
        entry.isUsed = false
        return OwnedBuffer(repeating: entry, count: size)
    }

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

    /// Remembers what is not known yet.
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

    mutating func number(of influence: Influence) -> UInt32 {
        for number in 0..<influenceCount where influences[number] == influence { return UInt32(number) }
        influences.reserve(influenceCount + 1, keeping: influenceCount)
        influences[influenceCount] = influence
        influenceCount += 1
        return UInt32(influenceCount - 1)
    }

    /// In bytes.
    var memory: Int { (mask + 1) * MemoryLayout<Entry>.stride + influences.capacity * 8 }
    /// What it needs beside that when it grows, if that is soon.
    var memoryToGrow: Int {
        count < Self.most && count > (mask + 1) / 16 * 7 ? (mask + 1) * 2 * MemoryLayout<Entry>.stride : 0
    }
}
