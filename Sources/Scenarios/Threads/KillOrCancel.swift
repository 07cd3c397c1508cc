import Authoring

/// A thread that is killed in the middle of its work, and what it leaves behind.
struct KillOrCancel: Scenario {
    static let name = "kill-or-cancel"
    static let summary = "A thread is killed while it moves money under a lock, or asked to stop between two moves."
    static let lesson = """
        A killed thread ends between two instructions, wherever it is. It does not unlock what it has locked, its \
        cleanup code does not run, and data that it was changing stay half changed. A lock cannot be taken away from \
        it: every thread that wants it waits forever. A robust mutex helps with the lock only: the next thread gets \
        it, learns that the owner died, and has to repair the data before it continues.

        A thread that is asked to stop looks for the request where nothing is half done, and returns. Nothing needs \
        to be repaired. POSIX has no call that kills one thread: `pthread_cancel` is a request too, with handlers \
        for the cleanup. On Linux the kernel can end a single thread, and that is what this program does.
        """
    static let guide: Guide? = .threads("Terminating a Thread")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case killed
        case cleanup
        case unrepaired
        case robust
        case asked

        var summary: String {
            switch self {
            case .killed: "the worker is killed while it holds the lock"
            case .cleanup: "the worker holds no lock, but its cleanup code does not run"
            case .unrepaired: "the mutex is robust, but the next owner does not repair what it protects"
            case .robust: "the mutex is robust, and the next owner repairs the accounts"
            case .asked: "the worker is asked to stop, and looks for the request between two moves"
            }
        }

        var expectation: Expectation {
            switch self {
            case .killed: .must(.deadlock)
            case .cleanup, .unrepaired: .must(.assertion)
            case .robust, .asked: .completes
            }
        }

        var guide: Guide? {
            switch self {
            case .cleanup, .asked: .basics("Terminate Your Threads Cleanly")
            default: nil
            }
        }

        var unusedParameters: Set<String> {
            self == .asked ? [] : ["moves", "pause"]
        }
    }

    @Parameter("variant of the program") var variant = Variant.killed
    @Parameter("time that one move takes", in: .zero ... .seconds(1)) var pause = Duration.milliseconds(10)
    @Parameter("number of moves that the worker would make", in: 1...100) var moves = 3

    private static let total = 100
    private static let fileName = "log"
    private enum Record {
        static let begin = 1
        static let end = 2
    }

    var expectedDuration: Duration { pause * moves }

    func run() throws {
        switch variant {
        case .cleanup: try skipCleanup()
        case .asked: try ask()
        default: try kill()
        }
    }

    // MARK: - Killed

    private func kill() throws {
        let accounts = Accounts(variant == .killed ? .normal : .robust)
        try killInTheMiddle { wait in try move(1, in: accounts, wait) }
        try accounts.mutex.withLock {
            if accounts.mutex.ownerDied && variant == .robust {
                note("the owner died: the accounts are repaired")
                try accounts.savings.write(Self.total - accounts.wages.read())
            }
            accounts.mutex.makeConsistent()
            try checkTotal(accounts)
        }
    }

    private func skipCleanup() throws {
        let file = try RecordFile(Self.fileName)
        try killInTheMiddle { wait in
            try file.append(Record.begin)
            defer { try? file.append(Record.end) }
            try wait()
        }
    }

    /// Kills a thread while it waits for a confirmation, which arrives too late.
    ///
    /// - Parameter body: the thread's work. In the middle it calls the function that it receives.
    private func killInTheMiddle(_ body: @escaping @Sendable (() throws -> Void) throws -> Void) throws {
        let isHalfDone = try Semaphore("half done", value: 0)
        let isConfirmed = try Semaphore("confirmed", value: 0)
        let worker = try Thread("worker", ThreadAttributes(canBeKilled: true)) {
            try body {
                try isHalfDone.signal()
                try isConfirmed.wait()
            }
        }
        try isHalfDone.wait()
        try worker.kill()
        try isConfirmed.signal()
        try worker.join()
    }

    // MARK: - Asked

    private func ask() throws {
        let accounts = Accounts(.normal)
        let shouldStop = Atomic("should stop", false)
        let worker = try Thread("worker") {
            for _ in 0..<moves {
                if try shouldStop.load() { return }
                try move(1, in: accounts) { try Thread.sleep(for: pause) }
            }
        }
        try Thread.sleep(for: pause / 2)
        try shouldStop.store(true)
        try worker.join()
        try accounts.mutex.withLock { try checkTotal(accounts) }
    }

    // MARK: - The accounts

    private struct Accounts {
        let mutex: Mutex
        let wages = Shared("wages", KillOrCancel.total)
        let savings = Shared("savings", 0)

        init(_ kind: Mutex.Kind) { mutex = Mutex("accounts", kind) }
    }

    private func move(_ amount: Int, in accounts: Accounts, _ wait: () throws -> Void) throws {
        try accounts.mutex.withLock {
            try accounts.wages.update { $0 - amount }
            try wait()
            try accounts.savings.update { $0 + amount }
        }
    }

    private func checkTotal(_ accounts: Accounts) throws {
        let total = try accounts.wages.read() + accounts.savings.read()
        try check(total == Self.total, "\(Self.total - total) has disappeared from the accounts")
    }

    func review(_ remains: Remains) throws {
        guard variant == .cleanup else { return }
        let records = try remains.records(in: Self.fileName)
        try check(records == [Record.begin, Record.end], "the worker's log was begun, and never ended")
    }
}
