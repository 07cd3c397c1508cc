import Machine

/// The components of which the states of a search consist, each stored once, and what was derived from them. A state
/// has a component that its threads share, and one for each thread.
///
/// Used through a pointer, which needs no reference counting.
struct SpaceTables: ~Copyable {
    /// The components that threads share, and those of single threads (`ownComponents`).
    var sharedComponents = ComponentTable()
    var ownComponents = ComponentTable()
    /// By a thread's component: its rank when exchangeable threads are sorted. Threads that have been joined come
    /// first, then those that can be joined.
    var ranks = OwnedBuffer<UInt8>(capacity: 256)
    /// By the number of a thread's component: the standing derived from it.
    var standings = OwnedBuffer<Standing>(capacity: 256)
    var steps = StepMemory()
    var independence = IndependenceTable()
    let locks: LockBits

    init(_ machine: MachineState) { locks = LockBits(machine) }

    /// The memory in use, in bytes, without the small `ranks` and `standings`.
    var memory: Int { sharedComponents.memory + ownComponents.memory + independence.memory + steps.memory }
    /// The additional memory that the tables will need when they grow soon, in bytes. 0: they do not.
    var memoryToGrow: Int {
        sharedComponents.memoryToGrow + ownComponents.memoryToGrow + independence.memoryToGrow + steps.memoryToGrow
    }
}

/// The components of the states that a search has seen, each stored once and known by its number.
struct ComponentTable: ~Copyable {
    /// The words of all components, one after the other. `starts[n]` is where component n begins; one more entry is the
    /// end of the last.
    private var words = OwnedBuffer<Int>(capacity: 1 << 12)
    private var starts = OwnedBuffer<Int>(capacity: 1 << 9)
    private(set) var count = 0
    private var index = NumberIndex()

    init() { starts[0] = 0 }

    /// The number of the component with these words. Components are numbered from 0 as they are found.
    mutating func number(of new: UnsafePointer<Int>, count length: Int) -> UInt32 {
        let (words, starts) = (self.words.base, self.starts.base)
        let number = index.number(Self.hash(new, length), orAdd: count) {
            Self.equals(words, starts, $0, new, length)
        }
        if number < count { return UInt32(truncatingIfNeeded: number) }
        let start = starts[count]
        self.words.reserve(start + length, keeping: start)
        (self.words.base + start).update(from: new, count: length)
        self.starts.reserve(count + 2, keeping: count + 1)
        self.starts[count + 1] = start + length
        count += 1
        return UInt32(truncatingIfNeeded: number)
    }

    /// The words of a component. Valid until another one is added.
    @inline(__always) func words(of number: UInt32) -> UnsafePointer<Int> {
        UnsafePointer(words.base + starts[Int(number)])
    }

    @inline(__always) func length(of number: UInt32) -> Int { starts[Int(number) + 1] - starts[Int(number)] }

    @inline(__always) func equals(_ number: Int, _ other: UnsafePointer<Int>, _ length: Int) -> Bool {
        Self.equals(words.base, starts.base, number, other, length)
    }

    @inline(__always) private static func equals(
        _ words: UnsafePointer<Int>, _ starts: UnsafePointer<Int>, _ number: Int, _ other: UnsafePointer<Int>,
        _ length: Int
    ) -> Bool {
        guard starts[number + 1] - starts[number] == length else { return false }
        let own = words + starts[number]
        for i in 0..<length where own[i] != other[i] { return false }
        return true
    }

    /// The memory in use, in bytes.
    var memory: Int { words.capacity * 8 + starts.capacity * 8 + index.memory }

    /// The additional memory that the table will need when it grows soon, by copying itself to twice the size, in
    /// bytes. 0: it does not.
    var memoryToGrow: Int {
        let isNearlyFull = starts[count] > words.capacity - words.capacity / 8
        return (isNearlyFull ? words.capacity * 2 * 8 : 0) + index.memoryToGrow
    }

    private static func hash(_ words: UnsafePointer<Int>, _ count: Int) -> UInt64 {
        var hash = Hash64()
        for i in 0..<count { hash.add(UInt64(bitPattern: Int64(words[i]))) }
        return hash.value
    }
}

/// Remembers whether a thread's next step is independent of all that another thread can do before it. The answer
/// depends on the threads, their components, and whether waits may still end without a signal. Each answer is computed
/// once. The threads' numbers are part of the key, because a join names its thread by number.
struct IndependenceTable: ~Copyable {
    private var index = NumberIndex()
    private var answers = OwnedBuffer<Answer>(capacity: 256)
    private var count = 0

    /// An entry: the numbers of the two threads, their components, and the answer.
    struct Answer: BitwiseCopyable {
        /// The second thread in bits 0 to 15, the first in the bits above; bit 31: whether waits may still end without
        /// a signal.
        var threads: UInt32
        var first: UInt32
        var second: UInt32
        var isIndependent: Bool
    }

    /// The entry's number, and the answer. If the answer is nil, the entry is new: the caller computes the answer and
    /// calls `set` with the number.
    @inline(__always)
    mutating func answer(
        _ threads: (Int, Int), _ first: UInt32, _ second: UInt32, mayWake: Bool
    ) -> (number: Int, isIndependent: Bool?) {
        let threads = UInt32(truncatingIfNeeded: (mayWake ? 1 << 31 : 0) | threads.0 << 16 | threads.1)
        let hash = Self.hash(threads, first, second)
        let answers = self.answers.base
        let number = index.number(hash, orAdd: count) {
            answers[$0].first == first && answers[$0].second == second && answers[$0].threads == threads
        }
        if number < count { return (number, answers[number].isIndependent) }
        self.answers.reserve(count + 1, keeping: count)
        self.answers[count] = Answer(threads: threads, first: first, second: second, isIndependent: false)
        count += 1
        return (number, nil)
    }

    @inline(__always) private static func hash(_ threads: UInt32, _ first: UInt32, _ second: UInt32) -> UInt64 {
        var hash = Hash64()
        hash.add(UInt64(first) << 32 | UInt64(second))
        hash.add(UInt64(threads))
        return hash.value
    }

    mutating func set(_ number: Int, _ isIndependent: Bool) { answers[number].isIndependent = isIndependent }

    /// The memory in use, in bytes.
    var memory: Int { index.memory + answers.capacity * MemoryLayout<Answer>.stride }
    var memoryToGrow: Int {
        let isNearlyFull = count > answers.capacity - answers.capacity / 8
        return (isNearlyFull ? answers.capacity * 2 * MemoryLayout<Answer>.stride : 0) + index.memoryToGrow
    }
}

/// Finds numbers by hash: a table with open addressing. An entry also contains half of the hash, so that a number with
/// another hash is rarely passed to the predicate.
struct NumberIndex: ~Copyable {
    /// Half a hash, and a number plus one. 0: the entry is free.
    private var entries: OwnedBuffer<UInt64>
    private var mask: Int
    private var count = 0

    private static let smallest = 1 << 10

    init() {
        entries = OwnedBuffer(repeating: 0, count: Self.smallest)
        mask = Self.smallest - 1
    }

    /// The number that was added with this hash and satisfies the predicate. If there is none, adds and returns `new`.
    @inline(__always)
    mutating func number(_ hash: UInt64, orAdd new: Int, where isSame: (Int) -> Bool) -> Int {
        let half = hash >> 32
        var place = Int(half) & mask
        let entries = self.entries.base
        while true {
            let entry = entries[place]
            if entry == 0 { break }
            if entry >> 32 == half {
                let number = Int(entry & 0xffff_ffff) - 1
                if isSame(number) { return number }
            }
            place = (place &+ 1) & mask
        }
        entries[place] = half << 32 | UInt64(new + 1)
        count &+= 1
        // Three quarters are in use.
        if count > (mask + 1) / 4 * 3 { grow() }
        return new
    }

    /// The number that was probably added with this hash. Nil: probably none. For callers that want to bring it, and
    /// what it refers to, into the cache before they are needed.
    @inline(__always) func guess(_ hash: UInt64) -> Int? {
        let entry = entries.base[Int(hash >> 32) & mask]
        return entry != 0 && entry >> 32 == hash >> 32 ? Int(entry & 0xffff_ffff) - 1 : nil
    }

    @inline(never) private mutating func grow() {
        let size = (mask + 1) * 2
        var old = OwnedBuffer<UInt64>(repeating: 0, count: size)
        swap(&old, &entries)
        let (from, new) = (old.base, entries.base)
        for i in 0...mask where from[i] != 0 {
            var place = Int(from[i] >> 32) & (size - 1)
            while new[place] != 0 { place = (place + 1) & (size - 1) }
            new[place] = from[i]
        }
        mask = size - 1
    }

    /// The memory in use, in bytes.
    var memory: Int { (mask + 1) * 8 }
    /// The additional memory that the index will need when it grows soon, in bytes. 0: it does not.
    var memoryToGrow: Int {
        // `grow` is called at 24/32.
        count > (mask + 1) / 32 * 21 ? memory * 2 : 0
    }
}

/// A fast hash of words. Equal hashes prove nothing: tables compare the words themselves.
struct Hash64 {
    private var state: UInt64

    /// - Parameter seed: words with equal hashes for one seed rarely have equal hashes for another.
    @inline(__always) init(seed: UInt64 = 0) { state = 0x9E37_79B9_7F4A_7C15 ^ seed }

    @inline(__always) mutating func add(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        state = product.high ^ product.low &+ 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always) var value: UInt64 {
        let mixed = (state ^ (state >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ (mixed >> 32)
    }
}
