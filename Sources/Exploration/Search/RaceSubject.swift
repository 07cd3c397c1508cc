import Machine

/// A subject whose executions do not complete if there is a race in them.
package final class RaceSubject: Subject {
    private let subject: any Subject
    private let races = RaceWatch()
    private var race: DataRace?

    package var observers: [any Observer] = [] {
        didSet { subject.observers = [races] + observers }
    }

    package init(_ subject: any Subject) {
        self.subject = subject
        subject.observers = [races]
    }

    package func execute(_ chooser: any Chooser) -> Verdict {
        let verdict = subject.execute(chooser)
        race = verdict.isGood ? races.firstRace : nil
        return race == nil ? verdict : .race
    }

    package var mayRepeatItself: Bool { subject.mayRepeatItself }
    package var schedule: Schedule { subject.schedule }
    package var stepCount: Int { subject.stepCount }
    package var place: Int { race?.place ?? subject.place }
    package var otherBrokenClaims: [ClaimEnd] { subject.otherBrokenClaims }
    package var machine: MachineState { subject.machine }
}
