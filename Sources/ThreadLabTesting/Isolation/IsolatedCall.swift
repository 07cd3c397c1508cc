import Exploration
import Foundation
import Testing

/// A call of `explore` with `.isolated`, which another process executes: the test's own program, started again to run
/// the same test. Both processes find the call among the others of the test by its identity and its round: the number
/// of times that the test has made it before.
struct IsolatedCall {
    /// The role of a process in the call.
    enum Role: Equatable {
        /// Starts a process for the call.
        case starter
        /// Executes the call: the process was started for it, and sends the report through this file descriptor.
        case worker(report: Int32)
        /// Skips the call, which is an earlier round of the one for which the process was started, and says so through
        /// this file descriptor.
        case earlierRound(report: Int32)
        /// Skips the call: the process was started for another call of the same test.
        case bystander
    }

    /// The environment variable that tells a process for which call it was started: `DESCRIPTOR ROUND IDENTITY`, the
    /// descriptor being the one for the report.
    static let variable = "THREADLAB_ISOLATED"

    /// The place of the call, its search and rules, and the test with its arguments.
    let identity: String
    /// The number of times that the test has made this call before: 0 for the first.
    let round: Int
    let function: String

    init(_ place: CallPlace, _ search: ScheduleSearch, _ rules: RunRules) {
        // Swift Testing has no name for a test case, that is, for a test with certain arguments. The description of a
        // case contains the arguments, and addresses, which are removed.
        let arguments = Test.Case.current.map { String(describing: $0).replacing(/\$[0-9a-f]+|0x[0-9a-f]+/, with: "") }
        let test = Test.current.map { "\($0.id)" } ?? ""
        let identity =
            "\(place.fileID):\(place.line):\(place.column) \(search) \(rules) \(test) \(arguments ?? "")"
        self.identity = identity
        function = "\(place.function)"
        round = CallRounds.OfProcess.shared.withLock { $0.next(identity) }
    }

    /// The role of this process in the call.
    ///
    /// - Parameter assignment: the value of the environment variable. Nil: it is not set.
    func role(_ assignment: String?) -> Role {
        guard let assignment else { return .starter }
        let parts = assignment.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[2] == identity, let descriptor = Int32(parts[0]), let sought = Int(parts[1])
        else { return .bystander }
        if round == sought { return .worker(report: descriptor) }
        return round < sought ? .earlierRound(report: descriptor) : .bystander
    }

    /// The value of the environment variable for a process that executes this round of the call.
    func assignment(_ descriptor: Int32, round: Int) -> String { "\(descriptor) \(round) \(identity)" }
}

/// Counts how often each call was made: a call in a loop is made several times.
///
/// A test can be run again in the same process, and nothing announces that: its calls then seem to be further rounds.
/// The new process runs the test only once. If it was started for the third round and passes the call only twice, one
/// run of the test has two rounds, and the third one is the first of a second run.
struct CallRounds {
    /// The number of times that each call was made.
    private var made: [String: Int] = [:]
    /// The number of rounds in one run of the test, for calls for which it is known.
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
