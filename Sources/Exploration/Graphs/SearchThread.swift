import Glibc

/// Runs a recursive search on a thread of its own, so that the search can pause in the middle of its recursion and has
/// a large stack. It takes turns with the thread that owns it: only one of the two runs at a time.
final class SearchThread {
    private let search: () -> Void
    /// Two semaphores, each signaled to let one of the two threads have its turn.
    private let turns = UnsafeMutablePointer<sem_t>.allocate(capacity: 2)
    /// Their indices.
    private static let turnOfSearch = 0
    private static let turnOfOwner = 1
    private var thread: pthread_t?
    private(set) var hasEnded = false

    /// The size of the stack in bytes. Nested choices need much of it. Only pages that are touched use memory.
    private static let stackSize = 64 << 20

    /// - Parameter search: runs on the new thread, and calls `pause` from time to time.
    init(_ search: @escaping () -> Void) {
        self.search = search
        // Not shared between processes, and with value 0.
        sem_init(turns, 0, 0)
        sem_init(turns + 1, 0, 0)
    }

    /// A search that has begun must have ended, which is the owner's duty.
    deinit {
        precondition(thread == nil || hasEnded, "a search is left before its end")
        if let thread { pthread_join(thread, nil) }
        sem_destroy(turns)
        sem_destroy(turns + 1)
        turns.deallocate()
    }

    /// Gives the search a turn, and returns when it pauses or has ended. False: there is no memory for its thread.
    /// Called by the owner.
    func resume() -> Bool {
        if hasEnded { return true }
        if thread == nil && !start() { return false }
        signal(Self.turnOfSearch)
        wait(Self.turnOfOwner)
        return true
    }

    /// Gives the owner a turn, and returns when the search has its next one. Called by the search.
    func pause() {
        signal(Self.turnOfOwner)
        wait(Self.turnOfSearch)
    }

    private func start() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        var new = pthread_t()
        let code = pthread_create(
            &new, &attributes,
            { argument in
                // The owner, which waits meanwhile, keeps this object alive.
                let own = Unmanaged<SearchThread>.fromOpaque(argument!).takeUnretainedValue()
                own.wait(SearchThread.turnOfSearch)
                own.search()
                own.hasEnded = true
                own.signal(SearchThread.turnOfOwner)
                return nil
            }, Unmanaged.passUnretained(self).toOpaque())
        if code == 0 { thread = new }
        return code == 0
    }

    private func signal(_ turn: Int) { sem_post(turns + turn) }

    private func wait(_ turn: Int) { while sem_wait(turns + turn) != 0 {} }
}
