/// What the statements of a program are about. Each program has a few of these, or its threads would hardly interact.
enum Theme: CaseIterable {
    case atomics, plain, mutexes, semaphores, conditions, sharedLocks
    /// Sleeps and limits; loops that nothing counts; both together are what time is about.
    case time, spinning
    case awaiting, choosing, children, functions, jumps, counting, asserting
}
