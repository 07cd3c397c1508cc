/// How a run can end.
package struct End: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case completed, deadlock, assertion, claim, misuse, error, leak, race, livelock, starvation
        case brokenClaim = "broken-claim"
    }

    package let kind: Kind
    /// The values of all variables then.
    package let memory: [Int]
    /// What does not hold.
    package let failures: Set<Failure>
    /// Whether threads are never joined or detached: a leak, unless there is a race.
    package let leavesThreads: Bool

    init(_ kind: Kind, _ memory: [Int], _ failures: Set<Failure>, leavesThreads: Bool = false) {
        self.kind = kind
        self.memory = memory
        self.failures = failures
        self.leavesThreads = leavesThreads
    }
}

/// What does not hold.
package enum Failure: Hashable, Sendable {
    /// An assertion, by the number of its text.
    case assert(Int)
    /// A claim, by its number in the file.
    case claim(Int)
}
