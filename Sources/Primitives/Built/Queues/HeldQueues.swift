/// The queues whose blocks one thread runs, the innermost last. Not counted: the caller of a block keeps its queue.
///
/// Its owner frees it. A `sync` adds its queue and removes it again, and should cost what a mutex does.
@usableFromInline struct HeldQueues {
    private var base: UnsafeMutablePointer<Unmanaged<QueueLevel>>?
    private var capacity = 0
    private var count = 0

    @inline(__always) mutating func push(_ level: QueueLevel) {
        if count == capacity { grow() }
        base.unsafelyUnwrapped[count] = .passUnretained(level)
        count += 1
    }

    @inline(__always) mutating func pop() { count -= 1 }

    mutating func removeAll() { count = 0 }

    var innermost: QueueLevel? { count == 0 ? nil : base![count - 1].takeUnretainedValue() }

    func contains(where fits: (QueueLevel) -> Bool) -> Bool {
        (0..<count).contains { fits(base![$0].takeUnretainedValue()) }
    }

    @inline(never) private mutating func grow() {
        capacity = max(4, capacity * 2)
        let larger = UnsafeMutablePointer<Unmanaged<QueueLevel>>.allocate(capacity: capacity)
        if let base { larger.update(from: base, count: count) }
        base?.deallocate()
        base = larger
    }

    func free() { base?.deallocate() }
}
