import Machine

/// Finds numbers by hash: a table with open addressing. An entry holds half of the hash as well, so that few
/// comparisons fail.
struct NumberIndex: ~Copyable {
    /// Half a hash, and a number plus one; 0: free.
    private var entries: OwnedBuffer<UInt64>
    private var mask: Int
    private var count = 0

    private static let smallest = 1 << 10

    init() {
        entries = OwnedBuffer(repeating: 0, count: Self.smallest)
        mask = Self.smallest - 1
    }

    /// The number that was added with this hash and that satisfies the condition; or `new`, which is thereby added.
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
        if count > (mask + 1) / 4 * 3 { grow() }
        return new
    }

    /// The number that was probably added with this hash: reading it early, and then what it stands for, brings both into
    /// the cache before they are needed. Nil: probably none.
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

    /// In bytes.
    var memory: Int { (mask + 1) * 8 }
}
