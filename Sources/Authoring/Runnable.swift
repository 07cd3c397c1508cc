import Execution
import Machine
import Text
import Trace

/// A configured program that can be run: a scenario written in Swift, a `.lab` file, or a compiled program.
package protocol Runnable: Sendable {
    /// The name on the command line: a scenario's name, or a file's path.
    var name: String { get }
    /// The name in sentences about its expectation, for example a scenario's variant.
    var label: String { get }
    var parameters: [ParameterDescription] { get }
    /// The current values by name, in the order of declaration.
    var arguments: [(name: String, value: String)] { get }
    /// The section of a book, usually of Apple's Threading Programming Guide, that the program follows. Nil: none.
    var guide: String? { get }
    /// How runs of the program may end.
    var expectation: Expectation { get }
    /// The duration of a run, in addition to what every run may take.
    var expectedDuration: Duration { get }
    /// The number of steps of a run, in addition to what every run may take.
    var expectedSteps: Int { get }
    /// Whether its author has stated how runs may end. If not, they should complete.
    var statesExpectation: Bool { get }
    /// Whether its expectation could be stated in a file: false for a compiled program that no `.lab` file runs.
    var isOfFile: Bool { get }
    /// The states that some run must end in, each as the text of a `state.seen` event.
    var soughtStates: [String] { get }

    /// Whether some sought states count anywhere in an execution, not only at its end.
    var seeksStatesOnTheWay: Bool { get }

    /// The path of the task by which it is judged, if it is a submission.
    var taskPath: String? { get }
    /// Whether time may pass at any moment of its controlled runs by default.
    var hasFreeTime: Bool { get }
    /// Whether busy waiting is a violation: that a thread, by its own steps alone, returns to an earlier state.
    var forbidsBusyWaiting: Bool { get }

    /// Whether it claims anything about its runs except how they end.
    var hasClaims: Bool { get }
    /// Whether it claims that the calls of its functions are linearizable.
    var claimsLinearizability: Bool { get }

    /// Why the scheduler cannot run it, as the end of a sentence: "because …". Nil: the scheduler can.
    var realThreadsOnly: String? { get }

    /// What a saved trace contains of the program: its text, or what identifies its build. Nil: nothing.
    var carried: TraceHeader.Program? { get }
    /// Whether threadlab runs it under the scheduler only.
    var isControlledOnly: Bool { get }
    /// Whether an execution leaves its process unchanged, so that the next one begins like the first.
    var leavesNothing: Bool { get }

    /// The body of the main thread.
    func run() throws

    /// Examines the files that the process left behind.
    func review(_ remains: Remains) throws

    /// Whether the program's threads run machine code between steps, which may crash or loop forever. Threads of a
    /// `.lab` file do not.
    var runsOwnCode: Bool { get }

    /// The name of that machine code in sentences, such as "Swift code". Not used for programs without it.
    var ownCode: String { get }

    /// The part of the program that takes no steps, so that no search covers it, as a sentence. Nil: none.
    var unseen: String? { get }

    /// Whether its behavior may depend on something that no step shows, as in assembly code.
    var mayDecideUnseen: Bool { get }

    /// For compiled code, the name of a part that threadlab cannot see, and that may order accesses of the rest. Nil:
    /// none.
    var unseenPart: String? { get }

    /// For compiled code, the first action in executions so far that the scheduler does not control or that is not a
    /// step, as a sentence. Nil: none, so the result of a search can be a proof.
    var escape: String? { get }

    /// A failure of threadlab itself in a process that ran the program, as a sentence without its full stop. Nil: none.
    /// Such a failure ends the process, but is not an ending of the program.
    var ownMistake: String? { get }

    /// Whether executions have shown that some actions should have been steps, and were not.
    var hasMissedSteps: Bool { get }

    /// The steps that searches have added, as the value of an option. The schedules of this process need them. Nil:
    /// none.
    var addedSteps: String? { get }

    /// Makes steps of the actions that executions have shown to be missing as steps. Earlier schedules become
    /// meaningless. Returns whether there were such actions. No process may be running an execution.
    func takeMissedSteps() -> Bool

    /// Whether `makeSubject` makes a `StatefulSubject`, whose states can be searched.
    var hasStates: Bool { get }

    /// The memory model of its runs under the scheduler.
    var model: MemoryModel { get }

    /// Whether its expectations also apply to runs on real threads: a machine's memory model cannot be chosen.
    var isAboutRealThreads: Bool { get }

    /// This program under a memory model.
    ///
    /// - Parameter alone: whether only its promises for this model count.
    func under(_ model: MemoryModel, alone: Bool) throws -> any Runnable

    /// Whether only its promises for the memory model of its runs count.
    var isForNamedModelAlone: Bool { get }

    /// Whether the program, if it has no data race, behaves under every memory model as under sequential consistency,
    /// because it has no order weaker than seqcst (the theorem called DRF-SC).
    var isSequential: Bool { get }

    /// Whether it has compare-exchanges that may fail although they find the expected value. For Swift code this is
    /// unknown.
    var hasWeakUpdates: Bool { get }

    /// The traits of the program that rules refer to, if they are known without running it. Nil: executions show them.
    var traits: ProgramTraits? { get }

    /// Why its executions cannot follow this memory model, which is weaker than sc, as a sentence without its full
    /// stop. Nil: they can.
    func obstacle(under model: MemoryModel) -> String?

    /// The first part that a search of execution graphs does not support, such as `'c' (line 3)`. Nil: it supports all.
    var partWithoutGraph: String? { get }

    /// The program as a subject, which executes it under a chooser any number of times.
    ///
    /// - Parameter log: receives the choices if the program runs machine code, which may end the process.
    func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject

    /// Makes the resources that recorded executions can share. Called before each process is forked for one.
    func prepareRecording()

    /// The program for one execution whose events are recorded.
    ///
    /// - Parameters:
    ///   - journal: receives the events.
    ///   - log: receives the choices, if another process needs them.
    ///   - fibers: stacks to use again. Nil: the execution maps its own.
    func makeRecordedExecution(
        _ chooser: any Chooser, _ rules: Rules, _ journal: Journal, log: ChoiceMemory?, fibers: SpareFibers?
    ) -> any RecordedExecution

    /// The sought states in which the last execution of a subject made here ended. The execution must have completed,
    /// or broken a claim.
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

    /// The memory model of its runs, if that is not sc. Otherwise rc11, if the program's own orders require it and all
    /// executions can be searched under it. Otherwise sc, also for code whose orders only executions show: a search of
    /// such code begins with sc (`StagedSearch`).
    package var ownModel: MemoryModel {
        if model != .sc { return model }
        let hasProver = obstacle(under: .rc11) == nil && partWithoutGraph == nil
        return traits?.contains(.weakOrders) == true && hasProver ? .rc11 : .sc
    }
    package var hasWeakUpdates: Bool { false }
    package var traits: ProgramTraits? { nil }

    /// Sets the rules that the program determines: its memory model, if it is not sc, whether it `isSequential`, and
    /// whether waits may time out at any moment.
    package func adapt(_ rules: inout Rules) {
        if model != .sc { rules.model = model }
        rules.isSequential = isSequential
        if hasFreeTime { rules.timeouts = .any }
    }

    package func obstacle(under model: MemoryModel) -> String? { nil }
    package var partWithoutGraph: String? { ownCode }

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

    /// Whether the outcome of a run that completed, but took locks in different orders, is `lock-order`: only if the
    /// program expects that.
    package var judgesLockOrder: Bool { expectation.allowed.contains(.lockOrder) }
    package func seenStates(of subject: any Subject) -> [Int] { [] }

    /// The name of the option for `addedSteps`.
    package static var stepsName: String { "steps" }

    /// The name, and the parameters that differ from their defaults, quoted for a shell.
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

    /// The value with its separator. One that looks like an option follows an equals sign.
    private static func optionValue(_ value: String) -> String {
        (value.hasPrefix("--") || value == "-h" ? "=" : " ") + value.quotedForShell
    }

    /// The options for the rules of a run. If `call` contains the memory model, it is left out here, because an option
    /// that is given twice is refused.
    package func options(_ rules: [TraceHeader.Parameter]) -> String {
        rules.filter { model == .sc && ownModel == .sc || $0.name != "model" }.map { " --\($0.name) \($0.value)" }
            .joined()
    }

    /// The arguments that repeat a controlled run by its seed.
    ///
    /// - Parameter rules: the rules of the run that differ from the default.
    package func runArguments(seed: UInt64, _ rules: [TraceHeader.Parameter]) -> String {
        "run \(call)\(options(rules)) --seed \(seed)"
    }

    /// The greatest length of a schedule that is preferred to a seed, in characters.
    private static var longestSchedule: Int { 60 }

    /// The arguments that replay a run of this program, given the header of its trace.
    package func replayArguments(_ header: TraceHeader) -> String {
        // A seed is shorter than a long schedule.
        if let seed = header.seed, header.schedule?.utf8.count ?? 0 > Self.longestSchedule {
            return runArguments(seed: seed, header.rules)
        }
        return "replay \(call)\(options(header.rules)) --schedule \(header.schedule ?? "")"
    }
}

/// What a process left behind when it ended, for `review`: its record files.
public final class Remains {
    private let storage: any RecordStorage
    /// Remarks of the review, which end up in the trace.
    package private(set) var notes: [String] = []

    package init(_ storage: any RecordStorage) { self.storage = storage }

    /// The records in a file.
    public func records(in name: String) throws -> [Int] { try storage.records(in: name) }

    /// Writes a remark into the trace.
    public func note(_ text: String) { notes.append(text) }
}
