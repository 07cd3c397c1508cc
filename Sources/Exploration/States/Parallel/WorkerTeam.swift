import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Threads that do pieces of work together. One of them is the thread that asks for the work; the others start with the first
/// work that there is for them.
final class WorkerTeam: @unchecked Sendable {
    /// The number of threads that were asked for, with the asking one.
    let size: Int
    /// What to do: called with the number of the thread.
    @exclusivity(unchecked) private var work: ((Int) -> Void)?
    private var threads: [pthread_t] = []
    /// The number of times that work was asked for, whether threads may still begin with it, and how many have begun and
    /// not ended; see `Round`. A thread that comes too late is not waited for, so that on a busy machine others do the work.
    private let round = Atomic<UInt64>(0)
    /// The next piece that no thread has taken.
    private let nextPiece = Atomic<Int>(0)
    @exclusivity(unchecked) private var claims = PieceClaims()
    /// For threads that have waited for a while.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let hasChanged = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// How often a waiting thread looks, and then gives its processor away, before it sleeps.
    private static let looks = 2000
    private static let yields = 100

    private var isStarted = false

    /// Fewer threads work if no more can be started.
    init(size: Int) {
        self.size = size
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(hasChanged, nil)
    }

    private func start(_ number: Int) {
        let member = Unmanaged.passRetained(Member(team: self, number: number))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let code = pthread_create(&thread, nil, memberMain, member.toOpaque())
        guard code == 0 else { return member.release() }
        #if canImport(Glibc)
            threads.append(thread)
        #else
            if let thread { threads.append(thread) }
        #endif
    }

    deinit {
        round.store(Round.end, ordering: .releasing)
        wakeAll()
        for thread in threads { pthread_join(thread, nil) }
        pthread_cond_destroy(hasChanged)
        pthread_mutex_destroy(mutex)
        hasChanged.deallocate()
        mutex.deallocate()
    }

    /// The threads take pieces of this size until all are done.
    ///
    /// - Parameter work: called with the number of the thread, and the piece.
    func forEachPiece(of count: Int, size: Int, _ work: (Int, Range<Int>) -> Void) {
        if count <= size {
            if count > 0 { work(0, 0..<count) }
            return
        }
        nextPiece.store(0, ordering: .relaxed)
        share { worker in
            while true {
                let start = nextPiece.add(size, ordering: .relaxed).oldValue
                if start >= count { return }
                work(worker, start..<min(count, start + size))
            }
        }
    }

    /// The threads take all pieces again, after `forEachPiece`. Each prefers those that it had before, whose memory its processor
    /// has in its cache.
    ///
    /// - Parameter takers: by piece: the number of the thread that had it.
    func forEachPieceAgain(
        of count: Int, size: Int, _ takers: UnsafePointer<UInt32>, _ work: (Range<Int>) -> Void
    ) {
        let pieces = (count + size - 1) / size
        if pieces <= 1 {
            if count > 0 { work(0..<count) }
            return
        }
        claims.reserve(pieces)
        share { worker in
            func take(_ piece: Int) {
                if claims.take(piece) { work(piece * size..<min(count, (piece + 1) * size)) }
            }
            for piece in 0..<pieces where takers[piece] == worker { take(piece) }
            // The others', from the end, where they are last.
            for piece in (0..<pieces).reversed() { take(piece) }
        }
    }

    /// All threads that come in time do the work together.
    private func share(_ work: (Int) -> Void) {
        if !isStarted {
            isStarted = true
            for number in 1..<max(1, size) { start(number) }
        }
        // As in WorkQueue+Main.swift: the code must not depend on the folder.
        #sourceLocation(file:"WorkerTeam+Share.swift",line:114)
        withoutActuallyEscaping(work) { work in
            self.work = work
            round.store(Round.open(after: round.load(ordering: .relaxed)), ordering: .releasing)
            wakeAll()
            work(0)
            round.subtract(Round.isOpen, ordering: .relaxed)
            wait { Round.count(round.load(ordering: .acquiring)) == 0 }
            self.work = nil
        }
        #sourceLocation()
    }

    fileprivate func serve(_ number: Int) {
        var last: UInt64 = 0
        while true {
            wait { Round.isOpen(round.load(ordering: .relaxed), after: last) }
            let now = round.load(ordering: .relaxed)
            if now == Round.end { return }
            guard Round.isOpen(now, after: last),
                round.compareExchange(expected: now, desired: now + 1, ordering: .acquiring).exchanged
            else { continue }
            last = Round.number(now)
            workNow(number)
            let left = round.subtract(1, ordering: .releasing).newValue
            if left & Round.isOpen == 0 && Round.count(left) == 0 { wakeAll() }
        }
    }

    /// Keeps nothing of the work when it returns.
    @inline(never) private func workNow(_ number: Int) { work?(number) }

    // MARK: - Waiting

    private func wait(until isTrue: () -> Bool) {
        for _ in 0..<Self.looks where isTrue() { return }
        for _ in 0..<Self.yields {
            if isTrue() { return }
            sched_yield()
        }
        pthread_mutex_lock(mutex)
        while !isTrue() { pthread_cond_wait(hasChanged, mutex) }
        pthread_mutex_unlock(mutex)
    }

    private func wakeAll() {
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(hasChanged)
        pthread_mutex_unlock(mutex)
    }

    /// The parts of a word.
    private enum Round {
        static let isOpen: UInt64 = 1 << 15
        static let end = UInt64.max

        static func number(_ word: UInt64) -> UInt64 { word >> 16 }
        static func count(_ word: UInt64) -> UInt64 { word & (isOpen - 1) }
        static func open(after word: UInt64) -> UInt64 { (number(word) + 1) << 16 | isOpen }
        static func isOpen(_ word: UInt64, after number: UInt64) -> Bool {
            word & isOpen != 0 && self.number(word) != number
        }
    }

    fileprivate final class Member {
        unowned(unsafe) let team: WorkerTeam
        let number: Int

        init(team: WorkerTeam, number: Int) {
            self.team = team
            self.number = number
        }
    }
}

private func memberMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let member = Unmanaged<WorkerTeam.Member>.fromOpaque(argument!).takeRetainedValue()
    member.team.serve(member.number)
    return nil
}
