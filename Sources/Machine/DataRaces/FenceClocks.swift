/// What fences need to know about each thread. Empty, and free of cost, until an execution takes its first step that is
/// a fence or has a weak memory order.
///
/// A handle to memory that it owns by convention: its creator must call `deallocate()`.
struct FenceClocks {
    private(set) var areUsed = false
    /// What the thread's next acquire fence will see: what was released with the values that its relaxed loads have
    /// read.
    private var pending = ClockTable()
    /// What the thread had seen at its last release fence. Its relaxed writes pass this on.
    private var released = ClockTable()

    func deallocate() {
        pending.deallocate()
        released.deallocate()
    }

    mutating func reset() { areUsed = false }

    /// Must be called before a row is used.
    ///
    /// - Parameter threads: the clocks of the execution's threads.
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
