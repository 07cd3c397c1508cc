import Machine

/// The counts of a search, as words that processes can share.
package struct SearchCounts: Equatable, Sendable {
    package var executions = 0
    /// Steps that were taken, without those restored with a kept state.
    package var steps = 0
    /// The most steps of an execution.
    package var longest = 0
    /// Executions that reached the step limit: what lies beyond was not seen.
    package var cutOff = 0
    /// Executions that were given up, because everything that they could reach is known.
    package var redundant = 0

    /// Executions in which time passed.
    package var timed = 0
    /// Executions that reached the limit of waits that end without a signal, if any may.
    package var spent = 0

    /// States that a search by states has found, and its moves from state to state.
    package var states = 0
    package var moves = 0
    /// The memory of the states, in bytes.
    package var memory = 0
    /// States found and not yet expanded, and how many moves the ones expanded now are away from the first.
    package var open = 0
    package var depth = 0

    package init() {}

    /// Counts one execution.
    ///
    /// - Parameters:
    ///   - length: the number of its steps.
    ///   - restored: the number of steps that were not taken, but restored with a kept state.
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
        sum.states += part.states
        sum.moves += part.moves
        if part.memory > 0 { (sum.open, sum.depth) = (part.open, part.depth) }
        sum.memory = max(sum.memory, part.memory)
    }
}
