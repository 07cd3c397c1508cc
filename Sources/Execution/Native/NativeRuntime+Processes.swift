import CLab
import Glibc
import Trace

/// Processes of a native run: they are forked from the process that runs the scenario.
extension NativeRuntime: OperatingSystem {
    /// The time in seconds after which a process is ended if it still runs, because it may never be waited for: enough
    /// for any work on a busy machine. A process also ends with its parent.
    private static let longestLife: UInt32 = 600

    package func startProcess(_ body: @escaping @Sendable () throws -> Int) throws -> Int {
        try checkRunning()
        letOthersSleep()
        fflush(nil)
        let parent = getpid()
        let child = clab_fork()
        if child == 0 {
            clab_die_with_parent()
            if getppid() != parent { _exit(0) }
            alarm(Self.longestLife)
            runApart(body)
        }
        guard child > 0 else { throw ProcessFailed("fork: \(String(cString: strerror(errno)))") }
        return Int(child)
    }

    /// Waits a moment for the other threads to sleep or end, before a fork. What another thread holds at the fork stays
    /// held in the copy, including the locks of this runtime, of Swift's runtime and of the C library.
    private func letOthersSleep() {
        var clock = OwnClock()
        repeat {
            let others = registry.kernelNumbersOfOthers
            if KernelSleep.areAllAsleep(others) { return }
            usleep(500)
            clock.read(others)
        } while clock.time < Self.longestPause
    }

    /// The limit of `letOthersSleep`, in nanoseconds by the clock of the other threads (`OwnClock`): one of them may
    /// never sleep.
    private static let longestPause: UInt64 = 200_000_000

    /// Runs the body in the new process. The events are recorded in memory of its own, because the parent's recording
    /// is shared with threadlab and may have only one writer.
    private func runApart(_ body: @escaping @Sendable () throws -> Int) -> Never {
        ThreadContext.leave()
        let memory: RecordingMemory
        do throws(RecordingError) {
            memory = try RecordingMemory()
        } catch {
            // The process ends like one whose body threw an error.
            let words = "threadlab: a process of the scenario cannot begin: \(error.description)\n"
            _ = write(STDERR_FILENO, words, words.utf8.count)
            _exit(Self.failure)
        }
        var options = NativeRuntime.Options()
        options.exit = nil
        options.grace = 0
        options.origin = self
        let own = NativeRuntime(recorder: Recorder(memory: memory), options: options)
        own.records = records
        FreshThread.run {
            var status = Self.failure
            own.run { status = Int32(truncatingIfNeeded: try body()) }
            _exit(status)
        }
        // Reached only if the body's thread ended without a status.
        _exit(Self.failure)
    }

    /// The status of a process whose body threw an error.
    private static var failure: Int32 { 1 }

    package func waitForProcess(_ number: Int, until deadline: Int) throws -> ProcessEnd? {
        var status: Int32 = 0
        while true {
            try checkRunning()
            let ended = waitpid(pid_t(number), &status, WNOHANG)
            if ended == pid_t(number) {
                // The lowest seven bits are the signal that killed the process, or 0; the next byte is the exit code.
                let signal = Int(status & 0x7F)
                return signal == 0 ? .exited(Int(status >> 8 & 0xFF)) : .killed(by: signal)
            }
            guard ended == 0 || errno == EINTR else {
                throw ProcessFailed("waitpid: \(String(cString: strerror(errno)))")
            }
            if now >= deadline { return nil }
            usleep(500)
        }
    }

    package func waitForChange(
        of object: RuntimeObject, isSpinning: Bool, at site: SourceSite, _ hasChanged: () -> Bool
    ) throws {
        if isSpinning { try spin(object, site, hasChanged) } else { try poll(object, site, hasChanged) }
    }

    package func killProcess(_ number: Int) { kill(pid_t(number), SIGKILL) }

    package func execute(_ program: String) throws -> Never {
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        execv(program, arguments)
        throw ProcessFailed("cannot execute \(program): \(String(cString: strerror(errno)))")
    }

    package var processNumber: Int {
        get { Int(getpid()) }
        set {}
    }

    /// Whether the process exists and has not ended. One that has ended and was not waited for by its parent does not
    /// count as alive.
    package func isProcessAlive(_ number: Int) -> Bool {
        let text = SystemText.read("/proc/\(number)/stat", limit: 512)
        // The state follows the program's name, which is in parentheses and can contain any character.
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return false }
        let state = text.utf8[end...].dropFirst(2).first
        return state != UInt8(ascii: "Z") && state != UInt8(ascii: "X")
    }
}
