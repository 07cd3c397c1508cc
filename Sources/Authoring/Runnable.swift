import Execution
import Machine
import Text
import Trace

/// A configured program that can be run: a scenario that is written in Swift, or a `.lab` file.
package protocol Runnable: Sendable {
    /// The name on the command line: a scenario's name, or a file's path.
    var name: String { get }
    /// The name in sentences about its expectation.
    var label: String { get }
    var parameters: [ParameterDescription] { get }
    /// The current values by name, in the order of declaration.
    var arguments: [(name: String, value: String)] { get }
    /// The section of the guide that covers it.
    var guide: String? { get }
    /// How its runs may end.
    var expectation: Expectation { get }
    /// How long a run takes, and of how many steps it is, beyond what every run may take.
    var expectedDuration: Duration { get }
    var expectedSteps: Int { get }
    /// Whether its author has said how they may end. Otherwise they should complete.
    var statesExpectation: Bool { get }
    /// Whether a file describes it, which could say so.
    var isOfFile: Bool { get }
    /// States that some run must end in, each as the text of a `state.seen` event.
    var soughtStates: [String] { get }

    /// Whether some of them count in any state of an execution, not only at its end.
    var seeksStatesOnTheWay: Bool { get }

    /// The file of the task that it is judged by, if it is a submission.
    var taskPath: String? { get }
    /// Whether time may pass at any moment of its controlled runs, unless something else is asked for.
    var hasFreeTime: Bool { get }
    /// Whether a state from which one thread alone comes back to it is a violation.
    var forbidsBusyWaiting: Bool { get }

    /// Whether it claims something about its runs beyond how they end.
    var hasClaims: Bool { get }
    /// Whether it claims that the calls of its functions are linearizable.
    var claimsLinearizability: Bool { get }

    /// Why the scheduler cannot run it, as the end of a sentence: "because …". Nil: it can.
    var realThreadsOnly: String? { get }

    /// The program itself, as far as a saved trace can carry it.
    var carried: TraceHeader.Program? { get }
    /// Whether it runs under the scheduler only, as far as threadlab is concerned.
    var isControlledOnly: Bool { get }
    /// Whether an execution leaves nothing in its process: the next one begins as the first did.
    var leavesNothing: Bool { get }

    /// The body of the main thread.
    func run() throws

    /// Examines what the process left behind after it ended.
    func review(_ remains: Remains) throws

    /// Whether its threads run machine code of their own between steps, which may crash or loop forever.
    var runsOwnCode: Bool { get }

    /// What that machine code is called in sentences. Without effect for other programs.
    var ownCode: String { get }

    /// What of the program takes no steps, so that no search looks at it, as a sentence. Nil: nothing.
    var unseen: String? { get }

    /// Whether it may decide by what no step shows, as assembly does.
    var mayDecideUnseen: Bool { get }

    /// Of compiled code, a part that may order accesses of the rest, and is not seen to: a name. Nil: there is none.
    var unseenPart: String? { get }

    /// Of compiled code, the first of what it has done, as far as executions so far have shown, that the scheduler does not decide or that
    /// is not a step: a sentence. Nil: nothing, so that what a search says of it can be a proof.
    var escape: String? { get }

    /// What was wrong with threadlab itself in a process that has run the program, as a sentence without its full stop. Nil: nothing. The
    /// process has ended then, which is no end of the program.
    var ownMistake: String? { get }

    /// Whether executions have shown that something is a step that was none in them.
    var hasMissedSteps: Bool { get }

    /// What schedules of this process need besides, as the value of an option: the steps that searches have added. Nil: nothing.
    var addedSteps: String? { get }

    /// What executions have shown to be steps, and was none in them, becomes one in later executions: schedules of earlier ones mean
    /// nothing any more. Returns whether there was anything. No process may be running an execution.
    func takeMissedSteps() -> Bool

    /// Whether the subject made below is a `StatefulSubject`, whose states can be searched.
    var hasStates: Bool { get }

    /// The memory model of its runs.
    var model: MemoryModel { get }

    /// Whether what it expects is about runs on real threads too: which memory model a machine has cannot be chosen.
    var isAboutRealThreads: Bool { get }

    /// The same program under a memory model.
    ///
    /// - Parameter alone: whether only what it promises for this model counts.
    func under(_ model: MemoryModel, alone: Bool) throws -> any Runnable

    /// Whether only what it promises for the memory model of its runs counts.
    var isForNamedModelAlone: Bool { get }

    /// Whether the program behaves under every memory model as under sequential consistency, up to a data race, which it
    /// must not have: it has no order weaker than seqcst. (The theorem is called DRF-SC.)
    var isSequential: Bool { get }

    /// Whether it has compare-exchanges that may fail although they find the expected value. Of Swift code that is not known.
    var hasWeakUpdates: Bool { get }

    /// What of it rules can be about, if that is known without running it. Nil: executions show it.
    var traits: ProgramTraits? { get }

    /// Why its executions cannot follow the memory model with its weaker orders, as a sentence without its full stop. Nil:
    /// they can.
    func obstacle(under model: MemoryModel) -> String?

    /// What in it a search of execution graphs cannot take, such as `'c' (line 3)`. Nil: nothing.
    var hasNoGraph: String? { get }

    /// The program as a subject, whose executions are decided by choosers.
    ///
    /// - Parameter log: receives the choices if the program runs its own code, which may end the process.
    func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject

    /// Makes what recorded executions need and can share. Called before each process that is forked for one.
    func prepareRecording()

    /// The program for one execution whose events are recorded.
    ///
    /// - Parameters:
    ///   - journal: receives the events.
    ///   - log: receives the choices, if another process needs them.
    ///   - fibers: see `ControlledRuntime`.
    func makeRecordedExecution(
        _ chooser: any Chooser, _ rules: Rules, _ journal: Journal, log: ChoiceMemory?, fibers: SpareFibers?
    ) -> any RecordedExecution

    /// The sought states that the last execution of a subject made here ended in. The execution must have completed, or
    /// broken a claim.
    func seenStates(of subject: any Subject) -> [Int]
}

extension Runnable {
    package var carried: TraceHeader.Program? { nil }
    package var runsOwnCode: Bool { true }
    package var ownCode: String { "Swift code" }
    package var unseen: String? {
        runsOwnCode ? "Plain variables of the Swift code are no steps, and were not looked at." : nil
    }
    package var escape: String? { nil }
    package var ownMistake: String? { nil }
    package var hasMissedSteps: Bool { false }
    package var mayDecideUnseen: Bool { false }
    package var unseenPart: String? { nil }
    package var addedSteps: String? { nil }
    package func takeMissedSteps() -> Bool { false }
    package var hasStates: Bool { false }
    package func prepareRecording() {}

    package var model: MemoryModel { .sc }
    package var isAboutRealThreads: Bool { model == .sc }
    package func under(_ model: MemoryModel, alone: Bool) throws -> any Runnable { self }
    package var isForNamedModelAlone: Bool { false }
    package var isSequential: Bool { false }

    /// The memory model that its own orders ask for, if there is a search of all its executions under it. Otherwise, and of code that
    /// executions have to show, sc, which is searched first: see `StagedSearch`.
    package var ownModel: MemoryModel {
        if model != .sc { return model }
        let hasProver = obstacle(under: .rc11) == nil && hasNoGraph == nil
        return traits?.contains(.weakOrders) == true && hasProver ? .rc11 : .sc
    }
    package var hasWeakUpdates: Bool { false }
    package var traits: ProgramTraits? { nil }

    /// Gives rules what the program decides: its memory model, if it has one of its own, and whether waits may time out at
    /// any moment.
    package func adapt(_ rules: inout Rules) {
        if model != .sc { rules.model = model }
        rules.isSequential = isSequential
        if hasFreeTime { rules.timeouts = .any }
    }

    package func obstacle(under model: MemoryModel) -> String? { nil }
    package var hasNoGraph: String? { ownCode }

    package var expectedDuration: Duration { .zero }
    package var expectedSteps: Int { 0 }
    package var realThreadsOnly: String? { nil }
    package var isControlledOnly: Bool { false }
    package var leavesNothing: Bool { false }

    package func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject {
        ControlledSubject(rules, log: log, review: { try review(Remains($0)) }, body: { try run() })
    }

    package func makeRecordedExecution(
        _ chooser: any Chooser, _ rules: Rules, _ journal: Journal, log: ChoiceMemory?, fibers: SpareFibers?
    ) -> any RecordedExecution {
        FiberExecution(
            ControlledRuntime(chooser: chooser, rules: rules, journal: journal, log: log, fibers: fibers),
            body: { try run() })
    }

    package var statesExpectation: Bool { true }
    package var isOfFile: Bool { true }
    package var soughtStates: [String] { [] }
    package var seeksStatesOnTheWay: Bool { false }
    package var hasClaims: Bool { false }
    package var claimsLinearizability: Bool { false }
    package var taskPath: String? { nil }
    package var hasFreeTime: Bool { false }
    package var forbidsBusyWaiting: Bool { false }

    /// Whether a run that completed, but took locks in different orders, ends in `lock-order`: only if the scenario
    /// expects that.
    package var judgesLockOrder: Bool { expectation.allowed.contains(.lockOrder) }
    package func seenStates(of subject: any Subject) -> [Int] { [] }

    /// The option of `addedSteps`.
    package static var stepsName: String { "steps" }

    /// Its name, and its parameters where they differ from the default, as a shell reads them.
    package var call: String {
        let defaults = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.defaultValue) })
        let flags = Set(parameters.lazy.filter { $0.form == .flag }.map(\.name))
        let changed = arguments.filter { defaults[$0.name] != $0.value }
        return name.quotedAsPath
            + changed.map { " --\($0.name)" + (flags.contains($0.name) ? "" : Self.optionValue($0.value)) }.joined()
            + (taskPath.map { " --against \($0.quotedForShell)" } ?? "")
            + (model == .sc && ownModel == .sc ? "" : " --model \(model.rawValue)")
            + (addedSteps.map { " --\(Self.stepsName) \($0)" } ?? "")
    }

    /// A value that would be read as an option follows a sign of equality.
    private static func optionValue(_ value: String) -> String {
        (value.hasPrefix("--") || value == "-h" ? "=" : " ") + value.quotedForShell
    }

    /// The options for rules, without the memory model if the call has it: given twice, it would be refused.
    package func options(_ rules: [TraceHeader.Parameter]) -> String {
        rules.filter { model == .sc && ownModel == .sc || $0.name != "model" }.map { " --\($0.name) \($0.value)" }
            .joined()
    }

    /// The arguments that repeat a controlled run by its seed.
    ///
    /// - Parameter rules: what may happen in the run, where it differs from the default.
    package func runArguments(seed: UInt64, _ rules: [TraceHeader.Parameter]) -> String {
        "run \(call)\(options(rules)) --seed \(seed)"
    }

    /// The arguments that replay a run of this scenario, given the header of its trace.
    package func replayArguments(_ header: TraceHeader) -> String {
        // A seed is a shorter way to say the same.
        if let seed = header.seed, header.schedule?.utf8.count ?? 0 > 60 {
            return runArguments(seed: seed, header.rules)
        }
        return "replay \(call)\(options(header.rules)) --schedule \(header.schedule ?? "")"
    }
}

/// What a process left behind when it ended: its record files.
public final class Remains {
    private let storage: any RecordStorage
    /// Remarks of the review, which end up in the trace.
    package private(set) var notes: [String] = []

    package init(_ storage: any RecordStorage) { self.storage = storage }

    /// What a record file holds.
    public func records(in name: String) throws -> [Int] { try storage.records(in: name) }

    /// Writes a remark into the trace.
    public func note(_ text: String) { notes.append(text) }
}
