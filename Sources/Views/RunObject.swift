import Trace

/// The state of an object at one moment of a run, as far as the events show it.
package struct RunObject: Hashable {
    /// The threads that hold the lock, in the order in which they took it.
    package var holders: [ThreadID]
    /// Whether the holders have it for reading.
    package var isShared: Bool
    /// The threads that wait for the object, the longest wait first.
    package var waiters: [ThreadID]
    /// The value of memory, or the number of records in a file. Nil: no event has shown it.
    package var value: Int64?
    /// The number of permits left in a semaphore. Nil: unknown.
    package var permits: Int?
}
