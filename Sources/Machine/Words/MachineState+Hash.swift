/// The hash of the whole state, by which cycles, and states that a search has seen before, are recognized.
extension MachineState {
    /// Adds everything on which the future depends, so that equal hashes mean the same possible futures. Deadlines are
    /// relative to the present time, and of threads that wait on conditions only the order of arrival counts.
    ///
    /// - Parameter counters: by object, whether it is a counter. The value of a counter, and the first argument of an
    ///   operation on it, are left out.
    package func hash(into hash: inout StateHash, leavingOut counters: [Bool] = []) {
        hash.add(threadCount)
        hash.add(header.pointee.scalars.spuriousBudget)
        for thread in 0..<threadCount { add(thread, to: &hash, counters) }
        for index in 1..<objectCount {
            let object = header.pointee.objects[index]
            hash.add(Int(object.owner) << 32 | Int(object.count))
            switch object.kind {
            case .normalMutex, .errorCheckingMutex, .recursiveMutex: break
            case .condition: if object.count > 0 { hash.add(object.value) }
            case .semaphore, .readersFirstLock, .writersFirstLock, .atomic, .cell, .file, .counted, .seat, .other:
                if !counters.contains(object: index) { hash.add(object.value) }
            }
        }
        if let memory = weakMemory { memory.hash(into: &hash, self, leavingOut: counters) }
        for i in 0..<header.pointee.scalars.holdCount {
            let hold = header.pointee.holds[i]
            hash.addInAnyOrder(Int(hold.object) << 32 | Int(hold.thread) << 12 | Int(hold.count))
        }
        for i in 0..<header.pointee.scalars.watchCount {
            let watch = header.pointee.watches[i]
            // Bit 62 distinguishes a watch from a read hold.
            hash.addInAnyOrder(1 << 62 | Int(watch.object) << 12 | Int(watch.thread))
        }
    }

    private func add(_ thread: Int, to hash: inout StateHash, _ counters: [Bool]) {
        let state = threads[thread]
        // Four flags in the lowest bits, and the status above them.
        var word = Int(state.status.rawValue) << 4
        if state.isDetached { word |= 1 }
        if state.isJoined { word |= 2 }
        if state.wasWoken { word |= 4 }
        if state.isStirred { word |= 8 }
        hash.add(word)
        if state.status == .ended || state.status == .running { return hash.add(state.result) }
        let operation = state.operation
        hash.add(Int(operation.orders.bits) << 40 | Int(operation.kind.rawValue) << 32 | Int(operation.object))
        hash.add(counters.contains(object: Int(operation.object)) ? 0 : operation.a)
        if operation.kind.hasDeadline {
            hash.add(operation.b == Operation.never ? -1 : max(0, operation.b - time))
        } else {
            hash.add(operation.b)
        }
        if state.status == .waiting { hash.add(rank(of: thread)) }
    }
}

extension [Bool] {
    /// Whether the object is a counter, if this list says so by object number. Objects beyond the end of the list are
    /// not counters.
    @inline(__always) func contains(object: Int) -> Bool { object < count && self[object] }
}
