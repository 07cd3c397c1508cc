import Glibc

/// A search that calls itself, and so cannot return before it is done: it runs on a thread of its own, which takes turns with the
/// thread that owns it. Only one of the two runs at a time.
final class SearchThread {
    private let search: () -> Void
    /// Counts the turns of the search, and those of the owner.
    private let turns = UnsafeMutablePointer<sem_t>.allocate(capacity: 2)
    private var thread: pthread_t?
    private(set) var hasEnded = false

    /// Nested choices need much of it. Only touched pages use memory.
    private static let stackSize = 64 << 20

    /// - Parameter search: calls `pause` from time to time.
    init(_ search: @escaping () -> Void) {
        self.search = search
        sem_init(turns, 0, 0)
        sem_init(turns + 1, 0, 0)
    }

    /// The search must have ended: its owner sees to that.
    deinit {
        precondition(thread == nil || hasEnded, "a search is left before its end")
        if let thread { pthread_join(thread, nil) }
        sem_destroy(turns)
        sem_destroy(turns + 1)
        turns.deallocate()
    }

    /// Gives the search a turn: returns when it pauses or has ended. False: there is no memory for its thread.
    func resume() -> Bool {
        if hasEnded { return true }
        if thread == nil && !start() { return false }
        signal(0)
        wait(1)
        return true
    }

    /// Called by the search: the owner's turn. Returns when the search has its next one.
    func pause() {
        signal(1)
        wait(0)
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
                // The owner, which waits, keeps it alive.
                let own = Unmanaged<SearchThread>.fromOpaque(argument!).takeUnretainedValue()
                own.wait(0)
                own.search()
                own.hasEnded = true
                own.signal(1)
                return nil
            }, Unmanaged.passUnretained(self).toOpaque())
        if code == 0 { thread = new }
        return code == 0
    }

    private func signal(_ turn: Int) { sem_post(turns + turn) }

    private func wait(_ turn: Int) { while sem_wait(turns + turn) != 0 {} }
}
