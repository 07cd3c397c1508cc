import CLab
import Glibc

/// Forking a process, and preparing it for a run.
enum ForkedProcess {
    /// Forks a child process. Must be called while the process has one thread.
    ///
    /// - Parameters:
    ///   - purpose: what the process is for, for error messages.
    ///   - work: the work of the child. It dies with its parent.
    static func fork(for purpose: String, _ work: () -> Never) throws(SupervisionFailed) -> pid_t {
        fflush(nil)
        let parent = getpid()
        let child = clab_fork()
        if child == 0 {
            clab_die_with_parent()
            // The parent may have died before the call took effect.
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
        // An interruption is handled by the parent: it ends this process, and reports what happened.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        if getenv("SWIFT_BACKTRACE") == nil { dropBacktraces() }
        // Standard output is reserved for the report, which may be JSON. Output of the scenario goes to standard error.
        dup2(STDERR_FILENO, STDOUT_FILENO)
        clab_buffer_lines()
    }

    /// Output of the scenario during a search is dropped: the scenario prints it again in the run that is shown.
    static func silence() {
        let nowhere = open("/dev/null", O_WRONLY)
        guard nowhere >= 0 else { return }
        dup2(nowhere, STDOUT_FILENO)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
    }

    /// A crash is reported from the events. Swift's own backtracer would first stop the process for an unknown time.
    private static func dropBacktraces() {
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    }
}
