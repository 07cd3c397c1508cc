import Exploration
import Foundation
import Testing

/// What distinguishes one isolated call of `explore` from the others of its test, in this process and in the one that is
/// started for it.
struct IsolatedCall {
    /// What a process has to do with the call.
    enum Role: Equatable {
        /// To start a process for it.
        case starter
        /// To do it: the process was started for it, and sends the report through this file descriptor.
        case worker(report: Int32)
        /// To say through this file descriptor that an earlier round of the call was passed.
        case earlierRound(report: Int32)
        /// Nothing: the process was started for another call of the same test.
        case bystander
    }

    /// The environment variable by which a process knows what it was started for: `DESCRIPTOR ROUND IDENTITY`.
    static let variable = "THREADLAB_ISOLATED"

    let identity: String
    /// Which time the test makes this call, from 0.
    let round: Int
    let function: String

    init(_ place: CallPlace, _ search: ScheduleSearch, _ rules: RunRules) {
        // The test library has no name for a case. Its description contains the arguments, and addresses.
        let arguments = Test.Case.current.map { String(describing: $0).replacing(/\$[0-9a-f]+|0x[0-9a-f]+/, with: "") }
        let test = Test.current.map { "\($0.id)" } ?? ""
        let identity =
            "\(place.fileID):\(place.line):\(place.column) \(search) \(rules) \(test) \(arguments ?? "")"
        self.identity = identity
        function = "\(place.function)"
        round = CallRounds.OfProcess.shared.withLock { $0.next(identity) }
    }

    /// In a process with this assignment. Nil: it has none.
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

/// How often each call was made: in a loop, one line of a test calls more than once.
///
/// A test that is run again in the same process makes its calls again, which nothing announces. It shows when a process
/// that was started for the third round passes the call only twice: then two rounds are one run of the test.
struct CallRounds {
    private var made: [String: Int] = [:]
    private var inOneRun: [String: Int] = [:]

    /// Counts a call. Returns its round, from 0.
    mutating func next(_ call: String) -> Int {
        let round = made[call, default: 0]
        made[call] = round + 1
        return inOneRun[call].map { round % $0 } ?? round
    }

    /// Notes how many rounds one run of the test has. Returns which of them this one is.
    mutating func correct(_ call: String, _ round: Int, inOneRun count: Int) -> Int {
        inOneRun[call] = count
        return round % count
    }
}

extension CallRounds {
    /// Those of this process.
    final class OfProcess: @unchecked Sendable {
        static let shared = OfProcess()

        private let lock = NSLock()
        // With the lock held.
        private var rounds = CallRounds()

        func withLock<Result>(_ body: (inout CallRounds) -> Result) -> Result { lock.withLock { body(&rounds) } }
    }
}
