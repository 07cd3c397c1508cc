/// Which threads watch which objects for changes. An `await` or a polling loop watches what it reads; a write of any of
/// that *stirs* the thread, which can then try again.
extension MachineState {
    /// Whether a thread that announces the operation stops watching. A sleep does not end watching in compiled
    /// programs, where polling loops may contain one.
    @inline(__always) func endsWatching(_ operation: Operation) -> Bool {
        !operation.isWatching && (pieces == nil || operation.kind != .sleepUntil)
    }

    @inline(always) var isUnwatched: Bool { header.pointee.scalars.watchCount == 0 }

    /// The thread has read the object in an `await` or a polling loop, and now watches it.
    func watch(_ operation: Operation, by thread: Int) {
        // The first read of an attempt begins a new set of watched objects.
        if !operation.isFurtherLook { dropWatches(of: thread) }
        for i in 0..<header.pointee.scalars.watchCount {
            let watch = header.pointee.watches[i]
            if watch.object == operation.object && watch.thread == Int32(thread) { return }
        }
        let index = header.pointee.scalars.watchCount
        header.pointee.watches.reserve(index + 1, keeping: index)
        header.pointee.watches[index] = Watch(object: operation.object, thread: Int32(thread))
        header.pointee.scalars.watchCount = index + 1
    }

    /// Whether a blocked thread is in a loop that keeps its processor busy. Called when no thread can step; false while
    /// the code of a thread runs.
    package var spinsForever: Bool {
        var isSpinning = false
        for thread in 0..<threadCount {
            if threads[thread].status == .running { return false }
            if threads[thread].status == .announced && threads[thread].operation.isSpinning { isSpinning = true }
        }
        return isSpinning
    }

    package var hasWatches: Bool { header.pointee.scalars.watchCount != 0 }

    /// Calls `visit` with each object that the thread watches.
    package func forEachWatched(by thread: Int, _ visit: (UInt32) -> Void) {
        for i in 0..<header.pointee.scalars.watchCount where header.pointee.watches[i].thread == Int32(thread) {
            visit(header.pointee.watches[i].object)
        }
    }

    /// Stirs the threads that watch the object or, in a compiled program, one of the pieces that the step writes.
    @inline(never) func stir(_ object: UInt32, by thread: Int) {
        guard let pieces = pieces?[thread], !pieces.isEmpty else { return stir(object) }
        for piece in pieces { stir(piece.object) }
    }

    /// Stirs the threads that watch the object: it has been written, by a step or outside of steps.
    package func stir(_ object: UInt32) {
        for i in 0..<header.pointee.scalars.watchCount where header.pointee.watches[i].object == object {
            threads[Int(header.pointee.watches[i].thread)].isStirred = true
        }
    }

    /// Ends all watches of the thread. The other watches keep their order.
    func dropWatches(of thread: Int) {
        threads[thread].isStirred = false
        var kept = 0
        for i in 0..<header.pointee.scalars.watchCount where header.pointee.watches[i].thread != Int32(thread) {
            header.pointee.watches[kept] = header.pointee.watches[i]
            kept += 1
        }
        header.pointee.scalars.watchCount = kept
    }
}
