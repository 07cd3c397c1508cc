import Machine

/// The components of the states that a search has seen, each stored once and known by its number.
struct ComponentTable: ~Copyable {
    /// All components, one after the other, and where each begins and ends.
    private var words = OwnedBuffer<Int>(capacity: 1 << 12)
    private var starts = OwnedBuffer<Int>(capacity: 1 << 9)
    private(set) var count = 0
    private var index = NumberIndex()

    init() { starts[0] = 0 }

    /// The number of the component with these words: from 0 on, in the order in which they are first seen.
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

    /// In bytes.
    var memory: Int { words.capacity * 8 + starts.capacity * 8 + index.memory }

    private static func hash(_ words: UnsafePointer<Int>, _ count: Int) -> UInt64 {
        var hash = Hash64()
        for i in 0..<count { hash.add(UInt64(bitPattern: Int64(words[i]))) }
        return hash.value
    }
}
