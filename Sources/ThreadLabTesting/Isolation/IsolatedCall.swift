import Exploration
import Foundation
import Testing

/// The identity of one isolated call of `explore` among the others of its test, both in this process and in the one
/// that is started for it.
struct IsolatedCall {
    /// The role of a process in the call.
    enum Role: Equatable {
        /// Starts a process for the call.
        case starter
        /// Executes the call: the process was started for it, and sends the report through this file descriptor.
        case worker(report: Int32)
        /// Reports through this file descriptor that it has passed an earlier round of the call.
        case earlierRound(report: Int32)
        /// Skips the call: the process was started for another call of the same test.
        case bystander
    }

    /// The environment variable that tells a process what it was started for: `DESCRIPTOR ROUND IDENTITY`.
    static let variable = "THREADLAB_ISOLATED"

    let identity: String
    /// The number of times that the test has made this call before.
    let round: Int
    let function: String

    init(_ place: CallPlace, _ search: ScheduleSearch, _ rules: RunRules) {
        // Swift Testing has no name for a test case. Its description contains the arguments, and addresses.
        let arguments = Test.Case.current.map { String(describing: $0).replacing(/\$[0-9a-f]+|0x[0-9a-f]+/, with: "") }
        let test = Test.current.map { "\($0.id)" } ?? ""
        let identity =
            "\(place.fileID):\(place.line):\(place.column) \(search) \(rules) \(test) \(arguments ?? "")"
        self.identity = identity
        function = "\(place.function)"
        round = CallRounds.OfProcess.shared.withLock { $0.next(identity) }
    }

    /// The role of a process with this assignment. Nil: it has no assignment.
    func role(_ assignment: String?) -> Role {
        guard let assignment else { return .starter }
        let parts = assignment.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[2] == identity, let descriptor = Int32(parts[0]), let sought = Int(parts[1])
        else { return .bystander }
        if round == sought { return .worker(report: descriptor) }
        return round < sought ? .earlierRound(report: descriptor) : .bystander
    }

    func assignment(_ descriptor: Int32, round: Int) -> String { "\(descriptor) \(round) \(identity)" }
}

/// Counts how often each call was made: a line of a test in a loop makes several calls.
///
/// If a test is run again in the same process, it makes its calls again, without notice. That shows when a process that
/// was started for the third round passes the call only twice: then a run of the test has two rounds.
struct CallRounds {
    private var made: [String: Int] = [:]
    private var inOneRun: [String: Int] = [:]

    /// Counts a call. Returns its round, from 0.
    mutating func next(_ call: String) -> Int {
        let round = made[call, default: 0]
        made[call] = round + 1
        return inOneRun[call].map { round % $0 } ?? round
    }

    /// Notes the number of rounds in one run of the test. Returns the current round within its run.
    mutating func correct(_ call: String, _ round: Int, inOneRun count: Int) -> Int {
        inOneRun[call] = count
        return round % count
    }
}

extension CallRounds {
    /// The counter of this process.
    final class OfProcess: @unchecked Sendable {
        static let shared = OfProcess()

        private let lock = NSLock()
        // Accessed with the lock held.
        private var rounds = CallRounds()

        func withLock<Result>(_ body: (inout CallRounds) -> Result) -> Result { lock.withLock { body(&rounds) } }
    }
}
