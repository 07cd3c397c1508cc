import Machine
import Trace

/// How an error that leaves a thread's body ends the run. The same on both runtimes.
package struct ErrorEnding {
    package let verdict: Verdict
    /// The event of the ending. Nil: it was recorded where the error was thrown.
    package let event: EventKind?
    package let site: SourceSite
    private let error: any Error

    package init(_ error: any Error) {
        self.error = error
        switch error {
        case let misuse as Misuse: (verdict, event, site) = (.misuse, nil, misuse.site)
        case let failure as AssertionFailed: (verdict, event, site) = (.assertion, .assertionFailed, failure.site)
        case let failure as ClaimFailed:
            (verdict, event, site) = (failure.isBroken ? .brokenClaim : .claim, failure.event, failure.site)
        case let failure as NoProgress: (verdict, event, site) = (.livelock, .noProgress, failure.site)
        case let failure as ProgramError: (verdict, event, site) = (.error, .threadError, failure.site)
        default: (verdict, event, site) = (.error, .threadError, .unknown)
        }
    }

    /// The event's text. Made only when it is asked for: a search ends many runs like this, and records none.
    package var text: String { "\(error)" }
}
