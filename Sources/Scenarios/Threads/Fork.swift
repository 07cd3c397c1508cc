import Authoring

/// A process that is forked while another of its threads holds a lock.
struct Fork: Scenario {
    static let name = "fork"
    static let summary = "A process with two threads is forked while the second one holds a lock."
    static let lesson = """
        The new process is a copy of the memory, with one thread: the one that called `fork`. A lock that another \
        thread held is copied as it is, held by a thread that does not exist there. A thread that locks it in the \
        new process waits forever. That may include the locks inside the C library, as those of memory allocation and \
        printing: POSIX promises nothing. glibc makes its own usable in the new process; nothing does that for the locks \
        of other libraries, or for yours.

        So a process with threads should replace its copy by another program at once, with `exec`, which leaves no \
        memory and no locks. If it cannot do that, it must hold every lock that the copy will need while it forks, \
        so that the forking thread is the holder on both sides: `pthread_atfork` is made for that.
        """
    static let guide: Guide? = .basics("Thread Safety in Libraries")
    static let source = #fileID
    static let realThreadsOnly: String? =
        "because it needs a copy of a whole process, and the scheduler's threads live in one"

    enum Variant: String, ScenarioVariant {
        case lockHeld = "lock-held"
        case exec
        case atFork = "at-fork"

        var summary: String {
            switch self {
            case .lockHeld: "the child needs the lock that the worker held when it was made"
            case .exec: "the child runs another program at once"
            case .atFork: "the main thread holds the lock while it forks, and unlocks it on both sides"
            }
        }

        var expectation: Expectation { self == .lockHeld ? .must(.assertion) : .completes }
    }

    @Parameter("variant of the program") var variant = Variant.lockHeld
    @Parameter("time for which the worker holds the lock", in: .milliseconds(1) ... .seconds(1))
    var pause = Duration.milliseconds(50)
    @Parameter("time that the child has", in: .milliseconds(50) ... .seconds(5)) var patience = Duration.milliseconds(
        500)

    var expectedDuration: Duration { pause + patience }

    func run() throws {
        let mutex = Mutex("library lock")
        let isHeld = try Semaphore("held", value: 0)
        let worker = try Thread("worker") {
            try mutex.withLock {
                try isHeld.signal()
                try Thread.sleep(for: pause)
            }
        }
        try isHeld.wait()
        let child = try makeChild(mutex)
        let ending = try child.wait(until: Instant.now + patience)
        if ending == nil { try child.kill() }
        try worker.join()
        try check(ending != nil, "the child waits for a lock whose holder does not exist there")
        try check(ending == .exited(0), "the child failed")
    }

    private func makeChild(_ mutex: Mutex) throws -> ChildProcess {
        switch variant {
        case .lockHeld: return try ChildProcess("child") { try useLibrary(mutex) }
        case .exec: return try ChildProcess("child") { try ChildProcess.execute("/bin/true") }
        case .atFork:
            try mutex.lock()
            let child = try ChildProcess("child") {
                try mutex.unlock()
                return try useLibrary(mutex)
            }
            try mutex.unlock()
            return child
        }
    }

    private func useLibrary(_ mutex: Mutex) throws -> Int {
        try mutex.lock()
        try mutex.unlock()
        return 0
    }
}
