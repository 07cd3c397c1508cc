import CLab
import Glibc
import Machine
import Synchronization

/// A copy of a run's process that waits where the run has paused. The next step continues there, instead of running the
/// program again from its start.
///
/// The process that pauses forks and then ends as usual. The copy, which is also a child of the supervisor, waits until
/// it reads choices from a pipe. It ends when the supervisor does.
final class Checkpoint: Sendable {
    private struct Header: ~Copyable {
        /// The process number of the waiting copy. 0: there is none.
        let process = Atomic<Int32>(0)
    }

    private let memory: SharedMemory
    private let readEnd: Int32
    private let writeEnd: Int32
    private let supervisor = getpid()

    /// An upper bound of the choices of one step.
    private static let mostChoices = 8

    init() throws(SupervisionFailed) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw SupervisionFailed("cannot make a pipe for the run: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = ends[1]
        memory = try SharedMemory(size: MemoryLayout<Header>.stride, for: "the place where a run waits")
        memory.bytes.bindMemory(to: Header.self).baseAddress!.initialize(to: Header())
    }

    deinit {
        guard getpid() == supervisor else { return }
        close(writeEnd)
        close(readEnd)
        if let process { _ = ProcessEnding.stop(process, .timeout) }
    }

    private var header: UnsafeMutablePointer<Header> {
        memory.bytes.baseAddress!.assumingMemoryBound(to: Header.self)
    }

    // MARK: - In the run's process

    /// Closes the write end of the pipe. Called before the run, so that only the supervisor has that end, and a waiting
    /// copy notices by the closing of the pipe that the supervisor has ended.
    func connect() { close(writeEnd) }

    /// Forks a copy, which waits.
    ///
    /// - Returns: in this process nil; in the copy, when the run continues, its next choices.
    func leave() -> [Schedule.Choice]? {
        let copy = clab_fork_sibling()
        guard copy == 0 else {
            header.pointee.process.store(max(copy, 0), ordering: .releasing)
            return nil
        }
        let choices = [Schedule.Choice](unsafeUninitializedCapacity: Self.mostChoices) { buffer, count in
            let size = MemoryLayout<Schedule.Choice>.stride
            var length = read(readEnd, buffer.baseAddress, buffer.count * size)
            // Only a closed pipe ends the wait. A signal does not.
            while length < 0 && errno == EINTR { length = read(readEnd, buffer.baseAddress, buffer.count * size) }
            count = max(0, length) / size
        }
        if choices.isEmpty { _exit(0) }
        clab_die_with_parent()
        if getppid() != supervisor { _exit(0) }
        return choices
    }

    // MARK: - In the supervisor

    /// The waiting copy. Nil: there is none. The run's process may have overwritten the number, so it is only used if
    /// it is that of a living child.
    private var process: pid_t? {
        let process = header.pointee.process.load(ordering: .acquiring)
        return process > 0 && waitpid(process, nil, WNOHANG) == 0 ? process : nil
    }

    /// Lets the copy continue with these choices.
    ///
    /// - Returns: its process. Nil: there is none.
    func resume(_ choices: [Schedule.Choice]) -> pid_t? {
        guard !choices.isEmpty, choices.count <= Self.mostChoices, let process else { return nil }
        header.pointee.process.store(0, ordering: .releasing)
        let size = choices.count * MemoryLayout<Schedule.Choice>.stride
        var length = write(writeEnd, choices, size)
        while length < 0 && errno == EINTR { length = write(writeEnd, choices, size) }
        if length == size { return process }
        _ = ProcessEnding.stop(process, .timeout)
        return nil
    }
}
