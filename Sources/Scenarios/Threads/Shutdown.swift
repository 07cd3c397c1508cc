import Authoring

/// A thread that saves data while the process ends: what detached and joinable threads are for.
struct Shutdown: Scenario {
    static let name = "shutdown"
    static let summary = "A writer thread saves records while the main thread returns and the process exits."
    static let lesson = """
        When the main thread returns, the process exits, and every thread that is still running is cut off. No thread \
        can wait for a detached thread, so whatever it has not saved by then is lost. A joinable thread can be waited \
        for: if it is joined before the process exits, nothing is lost, and join returns its value. But a joinable \
        thread must be joined: until then the system keeps its stack and its value, even after it has ended, and a \
        program that forgets it often enough cannot create any more threads. A real system has room for thousands; \
        here `--limit` is the number that may exist at once.

        The guide says that a process does not exit before its joinable threads have. Under POSIX, and here, it does: \
        a thread that is merely joinable is cut off like a detached one. Either the main thread joins it, or it does \
        not return: if it ends by `Thread.exit`, the process lives until the last thread has ended, detached or not.
        """
    static let guide: Guide? = .threads("Setting the Detached State of a Thread")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case detached
        case joinable
        case earlyReturn = "early-return"
        case mainExits = "main-exits"
        case lateDetach = "late-detach"
        case forgottenJoin = "forgotten-join"
        case joinTwice = "join-twice"
        case joinSelf = "join-self"
        case neverJoined = "never-joined"
        case joinedEach = "joined-each"

        var summary: String {
            switch self {
            case .detached: "the writer is detached, and the process exits while it works"
            case .joinable: "the main thread joins the writer before it returns"
            case .earlyReturn: "the writer is joinable, but the main thread returns without joining it"
            case .mainExits: "the writer is detached, and the main thread ends by Thread.exit"
            case .lateDetach: "the writer is joinable at first, and detached while it works"
            case .forgottenJoin: "the main thread waits until all is saved, but never joins the writer"
            case .joinTwice: "the main thread joins the writer a second time"
            case .joinSelf: "the writer joins itself"
            case .neverJoined: "a writer for each record, none of which is joined, until creation fails"
            case .joinedEach: "a writer for each record, joined before the next one is created"
            }
        }

        var expectation: Expectation {
            switch self {
            case .joinable, .mainExits, .joinedEach: .completes
            case .earlyReturn: .must(.assertion).orElse(.leak)
            case .neverJoined: .must(.assertion)
            case .detached, .lateDetach: .may(.assertion)
            case .forgottenJoin: .must(.leak)
            case .joinTwice, .joinSelf: .must(.misuse)
            }
        }

        var unusedParameters: Set<String> { self == .neverJoined || self == .joinedEach ? [] : ["limit"] }

        var guide: Guide? {
            switch self {
            case .earlyReturn, .mainExits: .basics("Be Aware of Thread Behaviors at Quit Time")
            default: nil
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.detached
    @Parameter("number of records to save", in: 1...1000) var records = 5
    @Parameter("time taken to save a record", in: .zero ... .seconds(1)) var pause = Duration.milliseconds(1)

    @Parameter("number of threads that may exist at once", in: 2...1000) var limit = 4

    private static let fileName = "records"

    /// If the limit has room for the main thread and all writers, no creation fails, and the writers are only leaked.
    var expectation: Expectation {
        variant == .neverJoined && records < limit ? .must(.leak) : variant.expectation
    }

    var expectedDuration: Duration { pause * records }

    func run() throws {
        let file = try RecordFile(Self.fileName)
        switch variant {
        case .detached:
            try Thread.detach("writer") { _ = try save(to: file) }
            try doOtherWork()
        case .joinable:
            let writer = try Thread.returning("writer") { try save(to: file) }
            try doOtherWork()
            let saved = try writer.join()
            note("the writer has saved \(saved) records")
        case .lateDetach:
            let writer = try Thread.returning("writer") { try save(to: file) }
            try doOtherWork()
            try writer.detach()
        case .earlyReturn:
            _ = try Thread.returning("writer") { try save(to: file) }
            try doOtherWork()
        case .mainExits:
            try Thread.detach("writer") { _ = try save(to: file) }
            try doOtherWork()
            try Thread.exit()
        case .forgottenJoin:
            let saved = try Semaphore("saved", value: 0)
            _ = try Thread("writer") {
                _ = try save(to: file)
                try saved.signal()
            }
            try doOtherWork()
            try saved.wait()
        case .joinTwice:
            let writer = try Thread.returning("writer") { try save(to: file) }
            try writer.join()
            try writer.join()
        case .joinSelf:
            let writer = try Thread("writer") {
                _ = try save(to: file)
                try Thread.current.join()
            }
            try writer.join()
        case .neverJoined, .joinedEach: try saveEachRecordInAThread(to: file)
        }
    }

    private func saveEachRecordInAThread(to file: RecordFile) throws {
        try Thread.setLimit(limit)
        let saved = try Semaphore("saved", value: 0)
        for record in 1...records {
            do {
                let writer = try Thread("writer \(record)") {
                    try Thread.sleep(for: pause)
                    try file.append(record)
                    try saved.signal()
                }
                try saved.wait()
                if variant == .joinedEach { try writer.join() }
            } catch let failure as ThreadCreationFailed {
                try check(false, "record \(record) is not saved: \(failure)")
            }
        }
    }

    /// - Returns: the number of records saved.
    private func save(to file: RecordFile) throws -> Int {
        for record in 1...records {
            try Thread.sleep(for: pause)
            try file.append(record)
        }
        return records
    }

    /// Keeps the main thread busy for half the time that the writer needs.
    private func doOtherWork() throws { try Thread.sleep(for: pause * records / 2) }

    func review(_ remains: Remains) throws {
        let saved = try remains.records(in: Self.fileName)
        remains.note("\(saved.count) of \(records) records saved")
        try check(saved == Array(1...records), "only \(saved.count) of \(records) records were saved")
    }
}
