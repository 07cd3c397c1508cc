import CLab
import Glibc

/// How a process is forked, and what makes it fit to be one run.
enum ChildProcess {
    /// Forks. Must be called while the process has one thread.
    ///
    /// - Parameters:
    ///   - purpose: what the process is for, as a complaint says it.
    ///   - work: what it does. It dies with this one.
    static func fork(for purpose: String, _ work: () -> Never) throws(SupervisionFailed) -> pid_t {
        fflush(nil)
        let parent = getpid()
        let child = clab_fork()
        if child == 0 {
            clab_die_with_parent()
            // The parent may have died before the kernel knew that this matters.
            if getppid() != parent { _exit(0) }
            work()
        }
        guard child > 0 else {
            throw SupervisionFailed("cannot start a process for \(purpose): \(String(cString: strerror(errno)))")
        }
        return child
    }

    /// In a process that runs the scenario.
    static func prepare() {
        // Who interrupts the run interrupts the parent: it ends this process, and has something to tell.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        if getenv("SWIFT_BACKTRACE") == nil { dropBacktraces() }
        // Standard output is the report's, which may be JSON. What a scenario prints goes beside it.
        dup2(STDERR_FILENO, STDOUT_FILENO)
        clab_buffer_lines()
    }

    /// What the scenario prints in a search, nobody wants to read: it prints it again in the run that is shown.
    static func silence() {
        let nowhere = open("/dev/null", O_WRONLY)
        guard nowhere >= 0 else { return }
        dup2(nowhere, STDOUT_FILENO)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
    }

    /// A crash is told from the events. Swift's own backtracer would stop the process for a while first, and nobody knows for
    /// how long.
    private static func dropBacktraces() {
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    }
}
