import CLab
import CSupport
import Glibc
import Testing

/// What a test changes or examines in its own, separate process.
enum Surroundings {
    /// From now on no process can be forked.
    static func forbidProcesses() throws {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        try #require(setrlimit(__rlimit_resource_t(6), &limit) == 0)  // RLIMIT_NPROC
        // The limit does not apply to root.
        if geteuid() == 0 {
            try #require(setuid(65534) == 0)
            // What root's variable names may not be theirs to write in.
            setenv("TMPDIR", "/tmp", 1)
        }
    }

    /// The signals that this thread blocks.
    static var blockedSignals: [Int32] {
        var set = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &set)
        return (1..<32).filter { sigismember(&set, $0) == 1 }
    }

    /// The pipes that are open.
    static var pipes: Set<Int32> {
        Set(
            (0..<256).filter { descriptor in
                var info = stat()
                return fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFIFO
            })
    }

    /// The descriptors of the same pipe.
    static func ends(ofPipe descriptor: Int32) -> [Int32] {
        func node(_ descriptor: Int32) -> UInt? {
            var info = stat()
            return fstat(descriptor, &info) == 0 ? info.st_ino : nil
        }
        return pipes.filter { node($0) == node(descriptor) }.sorted()
    }

    /// Ensures that `scribble` spares the pipes that are open now.
    static func sparePipes() { spared = pipes }
    nonisolated(unsafe) private static var spared: Set<Int32> = []

    /// Overwrites what the program does not own: the pipes through which its process reports.
    static func scribble() {
        for pipe in pipes.subtracting(spared) {
            var garbage = -1
            write(pipe, &garbage, MemoryLayout<Int>.size)
        }
    }

    /// The calling thread, as another process may signal it. The test's process has more threads than that one, which
    /// do not expect signals.
    struct ThreadAddress {
        let process = getpid()
        let thread = clab_thread_id()

        func signal(_ number: Int32) { csupport_signal_thread(process, thread, number) }
    }

    /// A child that only waits for the end of this pipe, with all descriptors of its parent.
    static func leaveChild(until pipe: Int32) {
        if clab_fork() != 0 { return }
        var byte: UInt8 = 0
        while read(pipe, &byte, 1) < 0 && errno == EINTR {}
        _exit(0)
    }

    static func makePipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }
}
