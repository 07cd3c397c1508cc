import Machine

/// A subject whose executions all begin with the same choices. The chooser decides only what comes after them, so a
/// search of this subject is one of everything that can happen from there.
///
/// A search must not know the choices before: they would be reversed. It therefore starts each execution from the
/// beginning, and goes back to no kept state.
package final class PrefixedSubject: Subject {
    private let subject: any Subject
    private let guide: PrefixGuide

    package init(_ subject: any Subject, _ prefix: Schedule) {
        self.subject = subject
        guide = PrefixGuide(prefix.choices)
    }

    package var observers: [any Observer] {
        get { subject.observers }
        set { subject.observers = newValue }
    }

    package func execute(_ chooser: any Chooser) -> Verdict {
        guide.follower = chooser
        return subject.execute(guide)
    }

    package var schedule: Schedule { subject.schedule }
    package var stepCount: Int { subject.stepCount }
    package var place: Int { subject.place }
    package var otherBrokenClaims: [ClaimEnd] { subject.otherBrokenClaims }
    package var machine: MachineState { subject.machine }
}

/// Makes the first choices, and leaves the others to another chooser.
private final class PrefixGuide: Chooser {
    var follower: (any Chooser)?
    private let prefix: [Schedule.Choice]
    private var position = 0

    init(_ prefix: [Schedule.Choice]) { self.prefix = prefix }

    var cycleSearch: CycleSearch { follower?.cycleSearch ?? .sometimes }
    var plan: ChoosersPlan { position < prefix.count ? .followed : follower?.plan ?? .none }

    func begin() {
        position = 0
        follower?.begin()
    }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard position < prefix.count else { return follower?.chooseThread(enabled, last: last, state: state) }
        let choice = prefix[position]
        position += 1
        let thread = UInt16(truncatingIfNeeded: choice.index)
        return !choice.isAlternative && enabled.contains(thread) ? thread : nil
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        guard position < prefix.count else { return follower?.chooseAlternative(count, of: thread, state: state) }
        let choice = prefix[position]
        position += 1
        return choice.isAlternative && choice.index < count ? choice.index : nil
    }

    func letsTimePass(beside thread: UInt16, state: MachineState) -> Bool? {
        if position >= prefix.count, let follower { return follower.letsTimePass(beside: thread, state: state) }
        return chooseAlternative(2, of: thread, state: state).map { $0 == 0 }
    }

    func end(_ verdict: Verdict, state: MachineState) { follower?.end(verdict, state: state) }
}
