/// How a controlled execution ended, as far as the machine can tell. The trace of a replay explains it.
package enum Verdict: UInt8, Sendable, CaseIterable {
    case completed
    /// No thread can continue, now or later.
    case deadlock
    case misuse
    case assertion
    case livelock
    /// The execution goes in a cycle of states that a fair scheduler could follow forever, in which a thread that is to make
    /// progress makes none.
    case starvation
    case error
    /// It completed, but a joinable thread was never joined, an object never released, or memory of a compiled program lost.
    case leak
    /// It completed, or continues forever as it should, but two accesses of a cell were not ordered.
    case race
    /// The process dies because of what the thread does after the last step; or that thread loops without taking
    /// another step. Only another process can detect it.
    case crash, hang
    /// The execution took more steps than it may.
    case stepLimit
    /// The execution goes in a cycle of states that a fair scheduler could follow forever, in which there is no progress.
    case endless
    /// The same, but every thread that is to make progress does: that is how some programs are meant to run.
    case forever
    /// A thread that is not under the scheduler's control used an object of it: what the execution shows means nothing.
    case foreignThread
    /// The chooser ended it: its plan could not be followed, or it had seen enough.
    case stopped
    /// A claim of the program about its runs does not hold; or only such that the program itself calls broken.
    case claim, brokenClaim

    /// Whether the execution shows that a claim does not hold.
    package var isOfClaim: Bool { self == .claim || self == .brokenClaim }

    /// Whether the execution can end in a state that is sought: one that completes, or that breaks a claim.
    package var showsStates: Bool { self == .completed || isOfClaim }

    /// Whether it was given up though it could continue: what lies beyond was not seen.
    package var isCutOff: Bool { self == .stepLimit || isCycle }

    /// Whether nothing is wrong with how it ended.
    package var isGood: Bool { self == .completed || self == .forever }

    /// Whether a race in it is how it ended: of what went wrong, that outranks what is left behind at the end, and that there were too
    /// many steps, as in `OutcomeJudge`.
    package var yieldsToRace: Bool { isGood || self == .leak || self == .stepLimit }

    /// Whether the execution goes in a cycle.
    package var isCycle: Bool { self == .endless || self == .starvation || self == .forever }
}
