import Trace

extension ObjectKind {
    /// The kind's name in reports. Its raw value is its name in trace files.
    package var title: String {
        switch self {
        case .cell, .booleanCell, .pointerCell: "variable"
        case .atomic, .booleanAtomic, .pointerAtomic: "atomic variable"
        case .part: "internal"
        case .mutex, .errorCheckingMutex, .recursiveMutex, .inheritingMutex, .ceilingMutex, .condition, .semaphore,
            .readWriteLock, .slot, .file, .futex, .conditionLock, .spinLock, .distributedLock, .queue, .workQueue,
            .operation, .runLoop, .inputSource, .timer, .observer, .port, .meter, .managedObject, .signal, .custom,
            .list:
            rawValue
        }
    }

    /// Whether events show which threads hold an object of this kind, so that it is known to be free if none does. The
    /// events of built locks, such as condition locks, do not.
    package var isLock: Bool {
        switch self {
        case .mutex, .errorCheckingMutex, .recursiveMutex, .inheritingMutex, .ceilingMutex, .readWriteLock: true
        case .condition, .semaphore, .atomic, .cell, .booleanAtomic, .booleanCell, .list, .pointerAtomic, .pointerCell,
            .slot, .file, .futex, .conditionLock, .spinLock, .distributedLock, .queue, .workQueue, .operation, .runLoop,
            .inputSource, .timer, .observer, .port, .meter, .managedObject, .signal, .custom, .part:
            false
        }
    }
}
