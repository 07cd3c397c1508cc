import Machine
import Synchronization

/// Which pieces of work have been taken.
struct PieceClaims: ~Copyable {
    private var isTaken = OwnedBuffer<UInt32>(capacity: 0)

    /// Makes a number of pieces free. No thread is taking any.
    mutating func reserve(_ count: Int) {
        isTaken.reserve(count, keeping: 0)
        isTaken.base.initialize(repeating: 0, count: count)
    }

    /// Whether no thread has taken the piece before.
    func take(_ piece: Int) -> Bool {
        let word = UnsafeMutableRawPointer(isTaken.base + piece).assumingMemoryBound(to: Atomic<UInt32>.self)
        return word.pointee.load(ordering: .relaxed) == 0 && word.pointee.exchange(1, ordering: .relaxed) == 0
    }
}
