import Machine

/// A subject whose executions do not complete if there is a race in them.
package final class RaceSubject: Subject {
    private let subject: any Subject
    private let passage = Passage()
    private let watch: RaceWatch
    private var race: Race?

    package init(_ subject: any Subject) {
        self.subject = subject
        watch = RaceWatch(passage)
    }

    package func execute(_ chooser: any Chooser) -> Verdict {
        passage.chooser = chooser
        let verdict = watch.execute(subject)
        race = verdict == .completed ? watch.races.first : nil
        return race == nil ? verdict : .race
    }

    package var schedule: Schedule { subject.schedule }
    package var stepCount: Int { subject.stepCount }
    package var place: Int { race?.place ?? subject.place }
    package var machine: MachineState { subject.machine }
}

/// A strategy that has somebody else choose.
private final class Passage: Strategy {
    var chooser: (any Chooser)?

    func prepare(_ number: Int) -> Bool { true }
    func begin() { chooser?.begin() }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        chooser?.chooseThread(enabled, last: last, state: state)
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        chooser?.chooseAlternative(count, of: thread, state: state)
    }

    func end(_ verdict: Verdict, state: MachineState) { chooser?.end(verdict, state: state) }
}
