/// The kind of a synchronization object. The raw value is the word in saved traces.
package enum ObjectKind: String, CaseIterable, Sendable {
    case mutex
    case errorCheckingMutex = "error-checking mutex"
    case recursiveMutex = "recursive mutex"
    case inheritingMutex = "priority-inheriting mutex"
    case ceilingMutex = "priority-ceiling mutex"
    case condition
    case semaphore
    case readWriteLock = "read-write lock"
    case atomic
    case cell
    case slot
    case file
    // Built on top of the base primitives
    case conditionLock = "condition lock"
    case spinLock = "spin lock"
    case distributedLock = "distributed lock"
    case queue
    case workQueue = "work queue"
    case runLoop = "run loop"
    case inputSource = "input source"
    case timer, observer, port
    case meter
    /// An object whose references are counted.
    case managedObject = "object"
    case signal
    /// What a program has built itself, and named.
    case custom = "custom object"
    /// A lock, condition or flag inside one of these: reports show it only where a thread is blocked on it.
    case part
}
