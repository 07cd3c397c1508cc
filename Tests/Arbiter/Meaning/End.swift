/// How a run can end.
package struct End: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case completed, deadlock, assertion, misuse, error, leak, race, livelock, starvation
    }

    package let kind: Kind
    /// The values of all variables then.
    package let memory: [Int]
    /// What failed, as far as it can be told at this moment; and what comes first among them.
    package let failures: Set<Failure>
    package let first: Failure?

    init(_ kind: Kind, _ memory: [Int], _ failures: Set<Failure>, first: Failure?) {
        self.kind = kind
        self.memory = memory
        self.failures = failures
        self.first = first
    }
}

/// What can be wrong in an assertion.
package enum Failure: Hashable, Sendable {
    case assert(Int)
    /// The claim with this number in the file.
    case claim(Int)
}
