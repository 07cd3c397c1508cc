/// A program whose executions choosers decide, one after the other.
package protocol Subject: AnyObject {
    /// Runs one execution from the beginning to its end.
    func execute(_ chooser: any Chooser) -> Verdict

    /// Who looks on, from the next execution on.
    var observers: [any Observer] { get set }

    /// The choices of the last execution.
    var schedule: Schedule { get }

    /// How many steps the last execution took.
    var stepCount: Int { get }

    /// How many of those were not taken, but came with a state that was kept.
    var restoredSteps: Int { get }

    /// A number that distinguishes where executions with the same verdict ended: the lines or the objects concerned.
    var place: Int { get }

    /// The machine, as the last execution has left it.
    var machine: MachineState { get }

    /// The subject, if it can go back, and all that look on can too.
    var revisitable: (any RevisitableSubject)? { get }
}

extension Subject {
    /// A subject that begins each execution anew takes every step.
    package var restoredSteps: Int { 0 }
    package var revisitable: (any RevisitableSubject)? { nil }
}

/// A subject that can go back to an earlier state of the present execution, and continue from there in another way.
package protocol RevisitableSubject: Subject {
    /// Keeps the present state under this number, from 0 on. To be called by a chooser that is asked for the next thread.
    func keepState(_ number: Int)

    /// Goes back to the state that was kept under the number, and runs on to the end. The chooser is asked for the next thread there.
    func execute(fromState number: Int, _ chooser: any Chooser) -> Verdict
}
