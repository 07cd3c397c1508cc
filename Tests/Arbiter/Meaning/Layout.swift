/// Where everything is in the words of a state.
struct Layout {
    /// Of a thread, from its first word on.
    enum Field {
        static let phase = 0
        static let position = 1
        /// Until its limit. −1: it has none.
        static let remaining = 2
        /// Whether it was joined (1) or detached (2).
        static let fate = 3
        /// Whether a signal ended its wait.
        static let isWoken = 4
        /// Its rank among the waiters of its condition, from 1, if the first is woken.
        static let rank = 5
        /// The objects that it watches, a bit each; and whether one of them was written.
        static let watched = 6
        static let isStirred = 7
        static let isRenewed = 8
        static let knowledge = 9
        static let depth = 10
        /// Whether it stands in the line of writers for a lock.
        static let isQueued = 11
        static let frame = 12
    }

    enum Phase {
        static let unborn = 0
        static let ready = 1
        static let waiting = 2
        static let waking = 3
        static let ended = 4
    }

    let threadCount: Int
    let objectCount: Int
    /// The first words of each thread.
    private(set) var threads: [Int] = []
    /// For each object: a value, an owner, a count, what its last releaser knew, and what readers knew.
    static let objectWords = 5
    /// The first of the words that say how often a thread holds a lock as a reader.
    let holds: Int
    let spurious: Int
    let hasRaced: Int
    let accesses: Int
    /// The first of the words that say whether an expectation has come true.
    let wishes: Int
    let size: Int

    init(objects: Int, wishes wishCount: Int, codes: [Code]) {
        objectCount = objects
        threadCount = codes.count
        holds = objects * Self.objectWords
        spurious = holds + objects * codes.count
        hasRaced = spurious + 1
        accesses = spurious + 2
        wishes = spurious + 3
        var next = wishes + wishCount
        for code in codes {
            threads.append(next)
            next += Field.frame + code.variables + code.depth
        }
        size = next
    }

    func value(_ object: Int) -> Int { object * Self.objectWords }
    func owner(_ object: Int) -> Int { object * Self.objectWords + 1 }
    func count(_ object: Int) -> Int { object * Self.objectWords + 2 }
    func published(_ object: Int) -> Int { object * Self.objectWords + 3 }
    func readers(_ object: Int) -> Int { object * Self.objectWords + 4 }
    func hold(_ object: Int, _ thread: Int) -> Int { holds + object * threadCount + thread }
}
