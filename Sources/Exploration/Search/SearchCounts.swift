import Machine

/// How much was searched, as words that processes can share.
package struct SearchCounts: Equatable, Sendable {
    package var executions = 0
    /// Steps that were taken: what came with a state that was kept is not among them.
    package var steps = 0
    /// The most steps of an execution.
    package var longest = 0
    /// Executions that came to the limit of steps: what lies beyond was not seen.
    package var cutOff = 0
    /// Executions that were given up, because all that they could come to is known.
    package var redundant = 0

    /// Executions in which time passed.
    package var timed = 0
    /// Executions in which as many waits ended without a signal as may, if any may.
    package var spent = 0

    package init() {}

    /// Counts one execution.
    ///
    /// - Parameters:
    ///   - length: how many steps it has.
    ///   - restored: how many of them were not taken, but came with a state that was kept.
    @inline(__always) package mutating func add(_ verdict: Verdict, length: Int, restored: Int = 0) {
        executions += 1
        steps += length - restored
        longest = max(longest, length)
        if verdict == .stepLimit { cutOff += 1 }
        if verdict == .stopped { redundant += 1 }
    }

    package static func += (sum: inout SearchCounts, part: SearchCounts) {
        sum.executions += part.executions
        sum.steps += part.steps
        sum.longest = max(sum.longest, part.longest)
        sum.cutOff += part.cutOff
        sum.redundant += part.redundant
        sum.timed += part.timed
        sum.spent += part.spent
    }
}
