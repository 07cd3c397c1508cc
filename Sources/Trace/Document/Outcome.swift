/// How a run ended. The raw value is the stable identifier that scripts, `expect` lines and saved traces use.
public enum OutcomeKind: String, CaseIterable, Sendable {
    case completed
    /// Threads wait for each other in a cycle, or for a signal that no remaining thread will send.
    case deadlock
    case livelock
    /// Threads make progress, but one of them never does.
    case starvation
    case assertion
    /// A claim of the program about its runs does not hold.
    case claim
    /// A claim that is meant to fail (`expect broken …`) does not hold.
    case brokenClaim = "broken-claim"
    case race
    case lockOrder = "lock-order"
    case misuse
    /// Something is never freed, such as a joinable thread that no thread joined.
    case leak
    /// An error that left a thread's body.
    case error
    case timeout
    case crash
    case interrupted
}

/// How a run ended, with an explanation for people.
package struct Outcome: Equatable, Sendable {
    package var kind: OutcomeKind
    /// One sentence: what happened.
    package var summary: String
    /// The explanation, as lines of text, with threads, objects and source lines.
    package var details: [String]
    /// The section of Apple's Threading Programming Guide on the subject.
    package var guide: String?

    package init(_ kind: OutcomeKind, summary: String, details: [String] = [], guide: String? = nil) {
        self.kind = kind
        self.summary = summary
        self.details = details
        self.guide = guide
    }
}
