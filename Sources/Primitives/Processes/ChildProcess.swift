import Execution
import Text
import Trace

/// Another process, to show what processes share: files, and locks that are files.
///
/// On real threads it is forked: the child has a copy of the memory, but of the threads only the one that forks. So
/// start it before other threads. Under the scheduler a thread models it. That thread shares the memory of the
/// scenario, as a real child does not, so the body must neither change what the scenario uses nor read what the
/// scenario changes later.
///
/// The steps of a real process are not part of the trace. The process ends with the process that started it.
public final class ChildProcess: Sendable {
    /// How a process ended.
    public enum Ending: Equatable, Sendable {
        /// The process ended by itself with this status: the value of its body, or 1 if the body threw an error.
        case exited(Int)
        /// A signal killed the process.
        case killed
    }

    private let name: String
    private let form: Form
    /// Accessed only by the thread that started the process.
    private let ending = Guarded<Ending?>(nil)

    private enum Form: Sendable {
        /// Its process ID.
        case real(Int)
        /// The thread that models it, and its exit status. Nil: the body has not returned.
        case model(Thread, Guarded<Int?>)
    }

    /// Starts a process.
    ///
    /// - Parameter body: runs in the process. Its value is the status with which the process exits.
    /// - Throws: `ProcessFailed`.
    public init(
        _ name: String, file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable () throws -> Int
    ) throws {
        let site = SourceSite(file, line)
        self.name = name
        Self.record(.processStart, name, at: site)
        form =
            if let system = Self.system { .real(try system.startProcess(body)) } else {
                try Self.model(name, at: site, body)
            }
    }

    /// Runs another program in place of the calling process, which must be a child process. None of its memory and
    /// locks remain. Under the scheduler the process ends instead, with status 0.
    public static func execute(_ program: String) throws -> Never {
        if let system = Self.system { try system.execute(program) }
        throw ThreadExit(value: 0)
    }

    /// Waits for the end of the process. For the thread that started it.
    public func wait(file: StaticString = #fileID, line: UInt = #line) throws -> Ending {
        try wait(until: .distantFuture, file: file, line: line)!
    }

    /// Waits for the end of the process, until the deadline at the latest. For the thread that started it.
    ///
    /// - Returns: nil if the deadline passed.
    public func wait(until deadline: Instant, file: StaticString = #fileID, line: UInt = #line) throws -> Ending? {
        if let ending = ending.value { return ending }
        let site = SourceSite(file, line)
        guard let end = try awaitEnd(until: deadline, file: file, line: line) else { return nil }
        ending.value = end
        switch end {
        case .exited(let status): Self.record(.processEnd, "\(name) exited with status \(status)", at: site)
        case .killed: Self.record(.processEnd, "\(name) was killed", at: site)
        }
        return end
    }

    private func awaitEnd(until deadline: Instant, file: StaticString, line: UInt) throws -> Ending? {
        switch form {
        case .real(let number):
            let end = try Self.system?.waitForProcess(number, until: deadline.nanoseconds)
            return switch end {
            case nil: nil
            case .exited(let status): .exited(status)
            case .killed: .killed
            }
        case .model(let thread, let status):
            if deadline == .distantFuture {
                try thread.join(file: file, line: line)
            } else if try thread.join(until: deadline, file: file, line: line) == nil {
                return nil
            }
            return status.value.map { .exited($0) } ?? .killed
        }
    }

    /// Kills the process where it is (`SIGKILL`). Under the scheduler it ends before its next operation.
    public func kill(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        Self.record(.processKill, name, at: site)
        switch form {
        case .real(let number): Self.system?.killProcess(number)
        case .model(let thread, _): try thread.kill(at: site)
        }
    }

    /// The operating system, which runs real processes. Nil under the scheduler, where a thread models each process.
    private static var system: (any OperatingSystem)? { ThreadContext.runtime.with { $0.system } }

    private static func record(_ remark: Remark, _ text: String, at site: SourceSite) {
        ThreadContext.runtime.with { runtime in
            if runtime.isRecording { runtime.record(remark, 0, text: text, at: site) }
        }
    }

    // MARK: - The model

    private static func model(
        _ name: String, at site: SourceSite, _ body: @escaping @Sendable () throws -> Int
    ) throws -> Form {
        // 0 while the process lives, then 1. The number of this atomic serves as the number of the process
        // (`DistributedLock.Holder.isAlive`).
        let life = Part(.atomic, "\(name.possessive) life", at: site)
        let status = Guarded<Int?>(nil)
        let kill = KillRequest(name, at: site) { try life.handle.perform(.store, 1, at: .unknown) }
        let thread = try Thread(
            name, killedBy: kill, at: site,
            .plain {
                ThreadContext.runtime.with { $0.processNumber = Int(life.handle.object.id) }
                status.value = try self.status(of: body)
                try life.handle.perform(.store, 1, at: .unknown)
            })
        return .model(thread, status)
    }

    /// The exit status of a process whose body returns or throws, limited to 8 bits as in POSIX.
    private static func status(of body: () throws -> Int) throws -> Int {
        do { return try body() & 0xFF } catch {
            if error is RunEnded { throw error }
            if let exit = error as? ThreadExit { return exit.value & 0xFF }
            ThreadContext.runtime.with { $0.record(.note, 0, text: "\(error)", at: .unknown) }
            return 1
        }
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let processStart = Remark(
        "process.start", "start the process {value}", value: .text,
        says: "It started a process of this name")
    fileprivate static let processKill = Remark(
        "process.kill", "kill the process {value}", value: .text,
        says: "It killed the process")
    fileprivate static let processEnd = Remark(
        "process.end", "the process {value}", value: .text,
        says: "It learned how the process ended")
}
