import Machine

/// Wraps a subject that is known to end its process after certain schedules: stops an execution before the step that
/// would do so, and reports the known end.
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
    /// The machine; if the execution stopped early, as it was before the fatal step.
    package var machine: MachineState { subject.machine }
}

/// Passes on the choices of another chooser, and ends the execution when they reach a fatal end.
private final class Warden: Chooser {
    /// The chooser that decides.
    var ward: (any Chooser)?
    /// The fatal end that this execution has reached.
    private(set) var reached: FatalEnd?
    private let ends: [FatalEnd]
    /// The fatal ends whose schedule begins with the choices so far.
    private var near: [FatalEnd] = []
    /// The number of choices that have been compared.
    private var position = 0

    init(_ ends: [FatalEnd]) { self.ends = ends }

    var cycleSearch: CycleSearch { ward?.cycleSearch ?? .sometimes }
    var plan: ChoosersPlan { ward?.plan ?? .none }

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
        // A schedule records this choice as one of two alternatives: 0 means that time passes.
        return isFatal(.alternative(passes ? 0 : 1)) ? nil : passes
    }

    func end(_ verdict: Verdict, state: MachineState) { ward?.end(reached?.verdict ?? verdict, state: state) }

    /// Whether the execution reaches a fatal end with this choice.
    private func isFatal(_ choice: Schedule.Choice) -> Bool {
        if near.isEmpty { return false }
        near.removeAll { $0.schedule.choices.count <= position || $0.schedule.choices[position] != choice }
        position += 1
        reached = near.first { $0.schedule.choices.count == position }
        return reached != nil
    }
}

/// Wraps a subject so that all executions begin with the same choices. The chooser decides only what follows, so a
/// search covers everything that can happen after that beginning.
///
/// A search that saw the fixed choices would also try their alternatives, so it sees only later ones. For the same
/// reason `revisitable` stays nil: each execution starts from the beginning, not from a kept state.
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

/// Makes the first choices, and leaves all later ones to another chooser.
private final class PrefixGuide: Chooser {
    var follower: (any Chooser)?
    private let prefix: [Schedule.Choice]
    private var position = 0

    init(_ prefix: [Schedule.Choice]) { self.prefix = prefix }

    var cycleSearch: CycleSearch { follower?.cycleSearch ?? .sometimes }
    var plan: ChoosersPlan { position < prefix.count ? .led : follower?.plan ?? .none }

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
        // 0 means that time passes.
        return chooseAlternative(2, of: thread, state: state).map { $0 == 0 }
    }

    func end(_ verdict: Verdict, state: MachineState) { follower?.end(verdict, state: state) }
}

/// Wraps a subject so that an execution with a race ends in the race, unless it ends in something more severe.
package final class RaceSubject: Subject {
    private let subject: any Subject
    private let races = RaceWatch()
    private let count: StepsToRace
    private let mayBeCutOff: Bool
    private let stepsAfterRace: Int
    private var race: DataRace?

    package var observers: [any Observer] = [] {
        didSet { subject.observers = [races, count] + observers }
    }

    /// - Parameters:
    ///   - mayBeCutOff: whether a race counts in an execution that reaches the step limit.
    ///   - stepsAfterRace: the maximum number of steps after the race that count as part of an execution.
    package init(_ subject: any Subject, mayBeCutOff: Bool = true, stepsAfterRace: Int = .max) {
        self.stepsAfterRace = stepsAfterRace
        self.subject = subject
        self.mayBeCutOff = mayBeCutOff
        count = StepsToRace(races)
        subject.observers = [races, count]
    }

    /// The number of steps of the last execution up to its first race. Nil: it had no race.
    package var stepsToRace: Int? { count.atRace }

    package func execute(_ chooser: any Chooser) -> Verdict {
        let verdict = subject.execute(chooser)
        race = verdict.yieldsToRace && (mayBeCutOff || verdict != .stepLimit) ? races.firstRace : nil
        return race == nil ? verdict : .race
    }

    package var mayRepeatItself: Bool { subject.mayRepeatItself }
    package var schedule: Schedule { subject.schedule }
    package var stepCount: Int {
        let all = subject.stepCount
        guard race != nil, let stepsToRace, all - stepsToRace > stepsAfterRace else { return all }
        return stepsToRace + stepsAfterRace
    }
    package var place: Int { race?.place ?? subject.place }
    package var otherBrokenClaims: [ClaimEnd] { subject.otherBrokenClaims }
    package var machine: MachineState { subject.machine }
}

/// Counts the steps up to a race. Must be after `races` in the list of observers.
private final class StepsToRace: Observer {
    private let races: RaceWatch
    private var count = 0
    /// The number of steps up to the first race. Nil: there was none so far.
    private(set) var atRace: Int?
    /// By the number of a kept state: the two variables above.
    private var kept: [(count: Int, atRace: Int?)] = []

    init(_ races: RaceWatch) { self.races = races }

    func begin() {
        count = 0
        atRace = nil
    }

    func willTake(_ step: NextStep) {
        count += 1
        if atRace == nil && races.firstRace != nil { atRace = count }
    }

    let canGoBack = true

    func keep(_ number: Int) {
        while kept.count <= number { kept.append((0, nil)) }
        kept[number] = (count, atRace)
    }

    func goBack(to number: Int) { (count, atRace) = kept[number] }
}
