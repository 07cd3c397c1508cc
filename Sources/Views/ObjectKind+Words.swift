import Trace

extension ObjectKind {
    /// Whether events show which threads hold it, so that one without a holder is free.
    package var isLock: Bool {
        switch self {
        case .mutex, .errorCheckingMutex, .recursiveMutex, .inheritingMutex, .ceilingMutex, .readWriteLock: true
        case .condition, .semaphore, .atomic, .cell, .booleanAtomic, .booleanCell, .slot, .file, .conditionLock, .spinLock,
            .distributedLock, .queue, .workQueue, .operation, .runLoop, .inputSource, .timer, .observer, .port, .meter,
            .managedObject, .signal, .custom, .part:
            false
        }
    }
}
