/// The rule's view of the present state.
extension MachineState: TimedCircumstances {
    @inline(always) package func object(_ number: UInt32) -> ObjectState {
        header.pointee.objects[Int(number)]
    }

    /// Whether a thread holds the object or waits on it, so that destroying it is a misuse.
    package func isInUse(_ object: UInt32) -> Bool {
        let state = header.pointee.objects[Int(object)]
        switch state.kind {
        case .normalMutex, .errorCheckingMutex, .recursiveMutex: return state.owner != 0
        case .readersFirstLock, .writersFirstLock: return state.owner != 0 || state.count != 0
        case .condition: return state.count != 0
        case .semaphore, .atomic, .cell, .file, .counted, .seat, .other: return false
        }
    }

    @inline(always) package func isStirred(_ thread: Int) -> Bool { threads[thread].isStirred }
    @inline(always) package var mayWakeSpuriously: Bool { header.pointee.scalars.spuriousBudget > 0 }
}
