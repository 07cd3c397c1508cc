/// A program that can be executed again and again, each time with a chooser that decides what the program leaves open.
/// A search runs a subject under its strategy; a replay runs it under a schedule.
package protocol Subject: AnyObject {
    /// Runs one execution from the beginning to its end.
    func execute(_ chooser: any Chooser) -> Verdict

    /// The observers of executions, from the next one on.
    var observers: [any Observer] { get set }

    /// The choices of the last execution.
    var schedule: Schedule { get }

    /// How many steps the last execution took.
    var stepCount: Int { get }

    /// The number of the last execution's steps that were not taken, but restored with a kept state.
    var restoredSteps: Int { get }

    /// A number that distinguishes the places (lines or objects) where executions with the same verdict ended.
    var place: Int { get }

    /// The code address at which the thread waits for its next step. 0: not known.
    func codeAddress(of thread: Int) -> UInt64

    /// The source line of the code at the address, such as `file.c:12`. Nil: not known.
    func line(ofCode address: UInt64) -> String?

    /// What an execution changed that outlasts it, so that later ones may differ: a sentence without its full stop.
    /// Nil: nothing is known.
    var lastingChange: String? { get }

    /// How often executions so far did something that happens only once in a process, and therefore not in later ones.
    var peculiarities: Int { get }

    /// If the last execution ended because claims do not hold: the broken claims other than the one of its verdict and
    /// `place`.
    var otherBrokenClaims: [ClaimEnd] { get }

    /// The machine, as the last execution left it.
    var machine: MachineState { get }

    /// A hash of the present state, which a chooser may read during an execution: states with the same hash have the
    /// same possible futures. Nil: the subject has no such hash.
    var futureHash: UInt64? { get }

    /// Whether a state may rightly be reached again: executions may continue forever, wait for time beside threads that
    /// repeat themselves, or read older values again and again.
    var mayRepeatItself: Bool { get }

    /// The subject, if it and all its observers can go back.
    var revisitable: (any RevisitableSubject)? { get }
}

extension Subject {
    /// A subject that starts each execution from the beginning takes every step.
    package var restoredSteps: Int { 0 }
    package func codeAddress(of thread: Int) -> UInt64 { 0 }
    package func line(ofCode address: UInt64) -> String? { nil }
    package var lastingChange: String? { nil }
    package var peculiarities: Int { 0 }
    package var otherBrokenClaims: [ClaimEnd] { [] }
    package var futureHash: UInt64? { nil }
    package var mayRepeatItself: Bool { false }
    package var revisitable: (any RevisitableSubject)? { nil }
}

/// A subject that can go back to an earlier state of the present execution, and continue differently from there.
package protocol RevisitableSubject: Subject {
    /// Keeps the present state under this number, from 0 on. Called by a chooser that is asked for the next thread.
    func keepState(_ number: Int)

    /// Goes back to the state that was kept under the number, and runs the execution from there to its end. The chooser
    /// first picks the next thread.
    func execute(fromState number: Int, _ chooser: any Chooser) -> Verdict
}

/// A claim that does not hold in an execution.
package struct ClaimEnd: Equatable, Sendable {
    /// `claim` or `brokenClaim`.
    package let verdict: Verdict
    /// A number that distinguishes claims: see `place(of:)`.
    package let place: Int

    package init(_ verdict: Verdict, place: Int) {
        self.verdict = verdict
        self.place = place
    }

    /// The number of a claim: a hash of its text (FNV-1a), wherever in an execution it was found not to hold.
    ///
    /// - Parameter message: the report of the broken claim, which quotes the claim's text if it has one.
    package static func place(of message: String) -> Int {
        let parts = message.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        let text = parts.count == 3 ? parts[1] : message.utf8[...]
        let hash = text.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash)
    }
}
