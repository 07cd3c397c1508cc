import Machine

/// A subject that is known to end its process after certain schedules: it stops before that.
package final class GuardedSubject: Subject {
    private let subject: any Subject
    private let warden: Warden

    package init(_ subject: any Subject, _ ends: [FatalEnd]) {
        self.subject = subject
        warden = Warden(ends)
    }

    package var observers: [any Observer] {
        get { subject.observers }
        set { subject.observers = newValue }
    }

    package func execute(_ chooser: any Chooser) -> Verdict {
        warden.ward = chooser
        let verdict = subject.execute(warden)
        return warden.reached?.verdict ?? verdict
    }

    package var schedule: Schedule { warden.reached?.schedule ?? subject.schedule }
    package var stepCount: Int { warden.reached.map { $0.schedule.stepCount } ?? subject.stepCount }
    package var place: Int { warden.reached?.place ?? subject.place }
    package var otherBrokenClaims: [ClaimEnd] { warden.reached == nil ? subject.otherBrokenClaims : [] }
    /// The machine of an execution that stopped early, as it was before the last step.
    package var machine: MachineState { subject.machine }
}

/// Lets another chooser choose, and ends the execution when its choices reach a fatal end.
private final class Warden: Chooser {
    var ward: (any Chooser)?
    private(set) var reached: FatalEnd?
    private let ends: [FatalEnd]
    /// The fatal ends whose schedule begins with the choices so far.
    private var near: [FatalEnd] = []
    private var position = 0

    init(_ ends: [FatalEnd]) { self.ends = ends }

    func begin() {
        reached = nil
        position = 0
        near = ends
        ward?.begin()
    }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard let thread = ward?.chooseThread(enabled, last: last, state: state) else { return nil }
        return isFatal(.thread(thread)) ? nil : thread
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        guard let way = ward?.chooseAlternative(count, of: thread, state: state) else { return nil }
        return isFatal(.alternative(way)) ? nil : way
    }

    func letsTimePass(beside thread: UInt16, state: MachineState) -> Bool? {
        guard let passes = ward?.letsTimePass(beside: thread, state: state) else { return nil }
        return isFatal(.alternative(passes ? 0 : 1)) ? nil : passes
    }

    func end(_ verdict: Verdict, state: MachineState) { ward?.end(reached?.verdict ?? verdict, state: state) }

    private func isFatal(_ choice: Schedule.Choice) -> Bool {
        if near.isEmpty { return false }
        near.removeAll { $0.schedule.choices.count <= position || $0.schedule.choices[position] != choice }
        position += 1
        reached = near.first { $0.schedule.choices.count == position }
        return reached != nil
    }
}
