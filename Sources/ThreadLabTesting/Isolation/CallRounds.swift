import Foundation

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
