import Machine
import Synchronization

/// A `NumberIndex` to which several threads add at the same time. It has room for all of it, and nothing else uses it
/// meanwhile.
///
/// What is added is a provisional number. If several threads add the same thing, the smallest one stays.
struct SharedIndex: BitwiseCopyable {
    private let entries: UnsafeMutablePointer<UInt64>
    private let mask: Int

    init(_ entries: UnsafeMutablePointer<UInt64>, mask: Int) {
        self.entries = entries
        self.mask = mask
    }

    /// An entry, as threads share it.
    @inline(__always) private func entry(_ place: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        UnsafeMutableRawPointer(entries + place).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    @inline(__always) private static func number(_ entry: UInt64) -> Int { Int(entry & 0xffff_ffff) - 1 }

    /// See `NumberIndex.guess`.
    @inline(__always) func guess(_ hash: UInt64) -> Int {
        let found = entry(Int(hash >> 32) & mask).pointee.load(ordering: .relaxed)
        return found != 0 && found >> 32 == hash >> 32 ? Self.number(found) : -1
    }

    /// Adds a number with this hash, unless a smaller one satisfies the condition. What another thread wrote before it added a
    /// number, the condition can read.
    ///
    /// - Parameters:
    ///   - new: is greater than all numbers that are not provisional.
    ///   - isSame: the answer for a number; those for all numbers of a place are equal.
    /// - Returns: where the smallest number is in the end, and the smallest one so far.
    @inline(__always)
    func add(_ hash: UInt64, _ new: Int, where isSame: (Int) -> Bool) -> (place: Int, number: Int) {
        let half = hash >> 32
        let own = half << 32 | UInt64(new + 1)
        var place = Int(half) & mask
        while true {
            var found = entry(place).pointee.load(ordering: .acquiring)
            if found == 0 {
                let result = replace(0, at: place, by: own)
                if result.exchanged { return (place, new) }
                found = result.original
            }
            if found >> 32 == half && isSame(Self.number(found)) {
                while Self.number(found) > new {
                    let result = replace(found, at: place, by: own)
                    if result.exchanged { return (place, new) }
                    found = result.original
                }
                return (place, Self.number(found))
            }
            place = (place &+ 1) & mask
        }
    }

    @inline(__always)
    private func replace(_ found: UInt64, at place: Int, by own: UInt64) -> (exchanged: Bool, original: UInt64) {
        entry(place).pointee.compareExchange(expected: found, desired: own, ordering: .acquiringAndReleasing)
    }

    /// Whether a number with this hash satisfies the condition. Nothing is being added.
    func contains(_ hash: UInt64, where isSame: (Int) -> Bool) -> Bool {
        var place = Int(hash >> 32) & mask
        while entries[place] != 0 {
            if entries[place] >> 32 == hash >> 32 && isSame(Self.number(entries[place])) { return true }
            place = (place &+ 1) & mask
        }
        return false
    }

    /// The number at a place. Nothing is being added.
    @inline(__always) func number(at place: Int) -> Int { Self.number(entries[place]) }

    /// Makes a place free. That can hide what was added after it: all that was is to be removed.
    @inline(__always) func remove(at place: Int) { entries[place] = 0 }

    /// Replaces the number at a place.
    @inline(__always) func set(_ number: Int, at place: Int) {
        entries[place] = (entries[place] >> 32) << 32 | UInt64(number + 1)
    }

    /// Adds what another index has in a part of it, and this one has not.
    func addAll(from old: UnsafeMutablePointer<UInt64>, _ range: Range<Int>) {
        for i in range where old[i] != 0 {
            var place = Int(old[i] >> 32) & mask
            while !entry(place).pointee.compareExchange(expected: 0, desired: old[i], ordering: .relaxed).exchanged {
                place = (place &+ 1) & mask
            }
        }
    }
}
