/// The clocks of each thread that give fences their effect: an acquire fence acts on the relaxed reads before it, a
/// release fence on the relaxed writes after it. Unused, and free of cost, until an execution takes its first fence,
/// its first atomic read that does not acquire, or its first atomic write that does not release.
///
/// A handle to memory that it owns by convention: its creator must call `deallocate()`.
struct FenceClocks {
    private(set) var areUsed = false
    /// By thread: what its next acquire fence will see, which is what was released with the values that its relaxed
    /// reads have found.
    private var pending = ClockTable()
    /// By thread: what it had seen at its last release fence. Its relaxed writes pass this on.
    private var released = ClockTable()

    func deallocate() {
        pending.deallocate()
        released.deallocate()
    }

    mutating func reset() { areUsed = false }

    /// Clears the clocks of the execution's first `count` threads. Must be called before any of them is used.
    ///
    /// - Parameter threads: the clocks of the threads, which give the width.
    @inline(never) mutating func begin(_ threads: ClockTable, count: Int) {
        areUsed = true
        pending.reserve(rows: count, width: threads.width)
        released.reserve(rows: count, width: threads.width)
        pending.clear(0..<count)
        released.clear(0..<count)
    }

    mutating func addThread(_ thread: Int, _ threads: ClockTable) {
        if !areUsed { return }
        pending.reserve(rows: thread + 1, width: threads.width)
        released.reserve(rows: thread + 1, width: threads.width)
        pending.clear(thread)
        released.clear(thread)
    }

    mutating func copy(threads count: Int, from other: FenceClocks) {
        areUsed = other.areUsed
        if !areUsed { return }
        pending.copy(rows: count, from: other.pending)
        released.copy(rows: count, from: other.released)
    }

    /// The thread has read, without acquiring, a value with which the clock was released.
    func note(_ thread: Int, hasRead clock: UnsafeMutablePointer<Int32>) { pending.merge(thread, clock) }

    /// The thread takes a fence that releases what the clock has seen.
    func release(_ thread: Int, _ clock: UnsafeMutablePointer<Int32>) { released.set(thread, clock) }

    func pending(_ thread: Int) -> UnsafeMutablePointer<Int32> { pending[thread] }
    func released(_ thread: Int) -> UnsafeMutablePointer<Int32> { released[thread] }
}
