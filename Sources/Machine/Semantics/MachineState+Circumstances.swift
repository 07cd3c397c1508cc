/// The rule's view of the machine now.
extension MachineState: Circumstances {
    @inline(always) package func object(_ number: UInt32) -> ObjectState {
        header.pointee.objects[Int(number)]
    }

    /// With readers first (glibc's default) only a writer keeps a reader out; with writers first a waiting one does
    /// too.
    package func letsReadersIn(_ lock: UInt32) -> Bool {
        let words = header.pointee.objects[Int(lock)]
        guard words.owner == 0 else { return false }
        guard words.kind == .writersFirstLock else { return true }
        return !(0..<header.pointee.scalars.threadCount).contains { other in
            threads[other].status == .queued && threads[other].operation.object == lock
        }
    }

    package func holdsToRead(_ lock: UInt32, _ thread: Int) -> Bool { readHold(lock, thread) != nil }

    /// Whether a thread holds the object, or waits on it: it must not be destroyed now.
    package func isInUse(_ object: UInt32) -> Bool {
        let state = header.pointee.objects[Int(object)]
        switch state.kind {
        case let kind where kind.isMutex: return state.owner != 0
        case .readersFirstLock, .writersFirstLock: return state.owner != 0 || state.count != 0
        case .condition: return state.count != 0
        default: return false
        }
    }

    package func life(of thread: Int) -> ThreadLife { threads[thread].life }

    @inline(always) package func isStirred(_ thread: Int) -> Bool { threads[thread].isStirred }

    @inline(always) package func isLate(_ deadline: Int) -> Bool {
        header.pointee.scalars.time >= deadline || (header.pointee.scalars.mayTimeOut && deadline != Operation.never)
    }

    @inline(always) package var mayWakeSpuriously: Bool { header.pointee.scalars.spuriousBudget > 0 }

    @inline(always) package var time: Int { header.pointee.scalars.time }
}
