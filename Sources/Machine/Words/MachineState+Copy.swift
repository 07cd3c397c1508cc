/// The whole state as a value: copied, brought back, and told apart from others.
extension MachineState {
    /// Makes this state what the other one is.
    package func copy(from other: MachineState) {
        let source = other.header.pointee
        if header.pointee.objectCapacity < source.objectCount {
            replace(&header.pointee.objects, &header.pointee.objectCapacity, source.objectCapacity)
            makeNothing()
        }
        if header.pointee.holdCapacity < source.holdCount {
            replace(&header.pointee.holds, &header.pointee.holdCapacity, source.holdCapacity)
        }
        if header.pointee.watchCapacity < source.watchCount {
            replace(&header.pointee.watches, &header.pointee.watchCapacity, source.watchCapacity)
        }
        header.pointee.time = source.time
        header.pointee.threadCount = source.threadCount
        header.pointee.objectCount = source.objectCount
        header.pointee.holdCount = source.holdCount
        header.pointee.watchCount = source.watchCount
        header.pointee.nextTicket = source.nextTicket
        header.pointee.cellCount = source.cellCount
        header.pointee.spuriousBudget = source.spuriousBudget
        header.pointee.mayTimeOut = source.mayTimeOut
        header.pointee.wakesFirst = source.wakesFirst
        header.pointee.showsClock = source.showsClock
        threads.update(from: other.threads, count: source.threadCount)
        (header.pointee.objects + 1).update(from: source.objects + 1, count: source.objectCount - 1)
        header.pointee.holds.update(from: source.holds, count: source.holdCount)
        header.pointee.watches.update(from: source.watches, count: source.watchCount)
    }

    private func replace<T>(_ memory: inout UnsafeMutablePointer<T>, _ capacity: inout Int, _ new: Int) {
        memory.deallocate()
        memory = .allocate(capacity: new)
        capacity = new
    }

    /// A number that is the same for states from which the same can happen: deadlines count from now, and who came first to a
    /// condition counts, not when.
    package func hash(into hash: inout StateHash) {
        hash.add(threadCount)
        hash.add(header.pointee.spuriousBudget)
        for thread in 0..<threadCount { add(thread, to: &hash) }
        for index in 1..<objectCount {
            let object = header.pointee.objects[index]
            hash.add(Int(object.owner) << 32 | Int(object.count))
            switch object.kind {
            case let kind where kind.isMutex: break
            case .condition: if object.count > 0 { hash.add(object.value) }
            default: hash.add(object.value)
            }
        }
        for i in 0..<header.pointee.holdCount {
            let hold = header.pointee.holds[i]
            hash.addInAnyOrder(Int(hold.object) << 32 | Int(hold.thread) << 12 | Int(hold.count))
        }
        for i in 0..<header.pointee.watchCount {
            let watch = header.pointee.watches[i]
            hash.addInAnyOrder(1 << 62 | Int(watch.object) << 12 | Int(watch.thread))
        }
    }

    private func add(_ thread: Int, to hash: inout StateHash) {
        let state = threads[thread]
        let flags = [state.isDetached, state.isJoined, state.wasWoken, state.isStirred]
        hash.add(flags.reduce(Int(state.status.rawValue)) { $0 << 1 | ($1 ? 1 : 0) })
        if state.status == .ended || state.status == .running { return hash.add(state.result) }
        let operation = state.operation
        hash.add(Int(operation.kind.rawValue) << 32 | Int(operation.object))
        hash.add(operation.a)
        if operation.kind.hasDeadline {
            hash.add(operation.b == Operation.never ? -1 : max(0, operation.b - time))
        } else {
            hash.add(operation.b)
        }
        guard state.status == .waiting else { return }
        var rank = 0
        for other in 0..<threadCount where threads[other].status == .waiting && threads[other].ticket < state.ticket {
            rank += 1
        }
        hash.add(rank)
    }
}
