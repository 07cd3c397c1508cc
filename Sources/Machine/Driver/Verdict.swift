/// How a controlled execution ended, as far as the machine can tell. The trace of a replay explains it.
package enum Verdict: UInt8, Sendable, CaseIterable {
    case completed
    /// No thread can continue, now or later.
    case deadlock
    case misuse
    case assertion
    case livelock
    /// The execution goes in a cycle of states that a fair scheduler could follow forever, in which a thread that
    /// should make progress makes none.
    case starvation
    case error
    /// It completed, but a joinable thread was never joined, an object never released, or memory of a compiled program
    /// lost.
    case leak
    /// It completed, or continues forever as it should, but two accesses of a cell were not ordered.
    case race
    /// After its last step, and before another one, the code of the program ends the process (`crash`) or does not
    /// return (`hang`). Only another process can detect that.
    case crash, hang
    case stepLimit
    /// The execution goes in a cycle of states that a fair scheduler could follow forever, in which there is no
    /// progress.
    case endless
    /// Like `endless`, but every thread that should make progress does: some programs are meant to run like this.
    case forever
    /// A thread outside the scheduler's control used an object of the execution, which then proves nothing.
    case foreignThread
    /// It was given up on the chooser's behalf: the chooser's plan could not be followed, the chooser had seen enough,
    /// or the execution only repeated itself.
    case stopped
    /// A claim of the program about its runs does not hold. `brokenClaim`: this is so only of claims that the program
    /// itself declares as broken.
    case claim, brokenClaim

    /// Whether the execution shows that a claim does not hold.
    package var isOfClaim: Bool { self == .claim || self == .brokenClaim }

    /// Whether the state at the end counts as one in which a run has ended (`expect sometimes`): the execution
    /// completed, or a claim did not hold.
    package var showsStates: Bool { self == .completed || isOfClaim }

    /// Whether the execution ended at the step limit or in a cycle, so that the rest of it was not seen.
    package var isCutOff: Bool { self == .stepLimit || isCycle }

    /// Whether nothing was wrong with how the execution ended.
    package var isGood: Bool { self == .completed || self == .forever }

    /// Whether a race in the execution decides how it ended. A race outranks leaks and the step limit, as in
    /// `OutcomeJudge`.
    package var yieldsToRace: Bool { isGood || self == .leak || self == .stepLimit }

    package var isCycle: Bool { self == .endless || self == .starvation || self == .forever }
}
