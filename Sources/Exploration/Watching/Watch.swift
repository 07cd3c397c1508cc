import Machine

/// A strategy that lets another one choose, and looks at each step before it is taken. What it looks for is its subclass's.
package class Watch: Strategy {
    private let strategy: any Strategy
    /// Whom the strategy has choose, if not itself. It is asked without this detour, because a variable is retained and released
    /// at each use, which costs a step a third of its speed.
    private var deputy: (any Chooser)?
    /// The subject as the strategy sees it.
    private var watched: WatchedSubject?

    init(_ strategy: any Strategy) {
        self.strategy = strategy
    }

    // MARK: - For subclasses

    /// An execution begins.
    func reset() {}

    /// The thread has been chosen, and is about to take its step.
    func look(at thread: Int, after last: Int, _ state: MachineState) {}

    /// The step that was looked at goes this way; or, if that cannot go several, what is decided is whether waits end by themselves.
    func look(atWay way: Int) {}

    /// The execution is over.
    func finish(_ verdict: Verdict) {}

    /// Whether it can go back with a subject that does. If not, the strategy takes the subject for one that cannot either.
    var goesBack: Bool { false }

    /// Keeps what was seen so far in the present execution under this number.
    func keep(_ number: Int) {}

    /// Goes back to what had been seen when the number was given.
    func goBack(to number: Int) {}

    // MARK: - The strategy

    package final func prepare(_ number: Int) -> Bool { strategy.prepare(number) }

    package final func execute(_ subject: any Subject) -> Verdict {
        if watched?.subject !== subject {
            let revisitable = goesBack ? subject as? any RevisitableSubject : nil
            watched = revisitable.map { WatchedRevisitableSubject($0, by: self) } ?? WatchedSubject(subject, by: self)
        }
        return strategy.execute(watched!)
    }

    fileprivate final func letChoose(_ chooser: any Chooser) { deputy = chooser === strategy ? nil : chooser }

    package final func begin() {
        reset()
        (deputy ?? strategy).begin()
    }

    package final func chooseThread(
        _ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState
    ) -> UInt16? {
        let thread =
            if let deputy {
                deputy.chooseThread(enabled, last: last, state: state)
            } else {
                strategy.chooseThread(enabled, last: last, state: state)
            }
        if let thread { look(at: Int(thread), after: Int(last), state) }
        return thread
    }

    package final func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        let way = (deputy ?? strategy).chooseAlternative(count, of: thread, state: state)
        if let way { look(atWay: way) }
        return way
    }

    package final func end(_ verdict: Verdict, state: MachineState) {
        finish(verdict)
        (deputy ?? strategy).end(verdict, state: state)
    }
}

/// A subject whose executions a watch sees, whoever decides them.
private class WatchedSubject: Subject {
    let subject: any Subject
    unowned let watch: Watch

    init(_ subject: any Subject, by watch: Watch) {
        self.subject = subject
        self.watch = watch
    }

    final func execute(_ chooser: any Chooser) -> Verdict {
        watch.letChoose(chooser)
        return subject.execute(watch)
    }

    final var schedule: Schedule { subject.schedule }
    final var stepCount: Int { subject.stepCount }
    final var place: Int { subject.place }
    final var machine: MachineState { subject.machine }
}

private final class WatchedRevisitableSubject: WatchedSubject, RevisitableSubject {
    private let revisitable: any RevisitableSubject

    init(_ subject: any RevisitableSubject, by watch: Watch) {
        revisitable = subject
        super.init(subject, by: watch)
    }

    func keepState(_ number: Int) {
        revisitable.keepState(number)
        watch.keep(number)
    }

    func execute(fromState number: Int, _ chooser: any Chooser) -> Verdict {
        watch.letChoose(chooser)
        watch.goBack(to: number)
        return revisitable.execute(fromState: number, watch)
    }
}
