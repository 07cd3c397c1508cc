import Authoring

/// A lock between two processes, one of which dies while it holds the lock.
struct FileLock: Scenario {
    static let name = "distributed-lock"
    static let summary = "Two processes write to one log under a lock that is a file. One of them may die."
    static let lesson = """
        A mutex is in the memory of one process. A lock between processes has to be where both can find it: in the \
        file system, in a folder in which all can write. The file exists while the lock is held, and creating it is one \
        indivisible step. There is no way to wait for such a lock: a process tries, and tries again later.

        The system does not remove the file when its owner dies, so the lock stays held. Another process can break \
        it. But a slow owner looks like a dead one: if its lock is broken too early, both processes are inside, and \
        what the lock protects is damaged. So the file says which process made it, and the lock is broken only when \
        that process is gone. A process number is valid on one machine: of an owner on another machine it says nothing. \
        The owner notices at its unlock that the lock was broken, which is too late.
        """
    static let guide: Guide? = .synchronization("Using an NSDistributedLock Object")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case ownerDied = "owner-died"
        case brokenTooEarly = "broken-too-early"
        case ownerChecked = "owner-checked"
        case takingTurns = "taking-turns"

        var summary: String {
            switch self {
            case .ownerDied: "the owner is killed, and the other process tries again and again"
            case .brokenTooEarly: "the owner is slow, and the other process breaks the lock"
            case .ownerChecked: "the owner may be killed or slow: the lock is broken only if it has died"
            case .takingTurns: "no process dies, and each tries until the other is done"
            }
        }

        var expectation: Expectation {
            switch self {
            case .ownerDied, .brokenTooEarly: .must(.assertion)
            case .ownerChecked, .takingTurns: .completes
            }
        }

        var unusedParameters: Set<String> { self == .ownerDied ? [] : ["attempts"] }
    }

    @Parameter("variant of the program") var variant = Variant.ownerDied
    @Parameter("time between the two records of one process", in: .milliseconds(5) ... .seconds(1))
    var pause = Duration.milliseconds(50)
    @Parameter("number of attempts of a process that gives up", in: 1...100) var attempts = 3

    private static let fileName = "log"

    /// Each process writes two records, and no other record may come between them.
    private enum Writer: Int {
        case main = 10
        case backup = 20

        var begin: Int { rawValue + 1 }
        var end: Int { rawValue + 2 }
    }

    var expectedDuration: Duration { pause * 2 * (attempts + 1) }

    func run() throws {
        let log = try RecordFile(Self.fileName)
        let lock = try DistributedLock("log lock")
        let disk = try DistributedLock("slow disk")
        let isSlow = variant != .takingTurns
        if isSlow { try check(disk.tryLock()) }
        let backup = try ChildProcess("backup") {
            let own = DistributedLock(sameFileAs: lock)
            while try !own.tryLock() { try Thread.sleep(for: pause / 4) }
            try write(as: .backup, to: log) { try waitWhileHeld(disk) }
            try own.unlock()
            return 0
        }
        if isSlow {
            while try lock.holder() == nil { try Thread.sleep(for: .milliseconds(1)) }
        }
        if try variant == .ownerDied || (variant == .ownerChecked && choose(2) == 1) { try backup.kill() }
        if variant == .ownerChecked { try disk.unlock() }
        try acquire(lock)
        try write(as: .main, to: log)
        if variant == .brokenTooEarly { try disk.unlock() }
        try lock.unlock()
        let ending = try backup.wait()
        note(ending == .killed ? "the backup was killed" : "the backup ended by itself")
    }

    private func acquire(_ lock: DistributedLock) throws {
        switch variant {
        case .ownerDied:
            for _ in 0..<attempts {
                if try lock.tryLock() { return }
                try Thread.sleep(for: pause * 2)
            }
            try check(false, "after \(attempts) attempts the lock is still held: its owner has died")
        case .brokenTooEarly:
            try check(!lock.tryLock(), "the owner has released the lock")
            try lock.breakLock()
            try check(lock.tryLock(), "the lock that was broken is held")
        case .ownerChecked:
            while try !lock.tryLock() {
                if let holder = try lock.holder(), try !holder.isAlive() {
                    note("the owner has died: its lock is broken")
                    try lock.breakLock()
                } else {
                    try Thread.sleep(for: pause)
                }
            }
        case .takingTurns: while try !lock.tryLock() { try Thread.sleep(for: pause / 4) }
        }
    }

    private func write(as writer: Writer, to log: RecordFile, _ wait: () throws -> Void = {}) throws {
        try log.append(writer.begin)
        try Thread.sleep(for: pause)
        try wait()
        try log.append(writer.end)
    }

    /// Keeps the backup between its two records until the main process has seen it hold the lock, and has done what the
    /// variant shows, even if either process is slow.
    private func waitWhileHeld(_ disk: DistributedLock) throws {
        while try disk.holder() != nil { try Thread.sleep(for: pause / 4) }
    }

    /// A process that died has not written its second record.
    func review(_ remains: Remains) throws {
        let records = try remains.records(in: Self.fileName)
        for writer in [Writer.main, .backup] {
            guard let begin = records.firstIndex(of: writer.begin), let end = records.firstIndex(of: writer.end) else {
                continue
            }
            try check(end == begin + 1, "both processes wrote at the same time: \(records)")
        }
    }
}
