import Authoring
import CCompiled
import Execution
import Glibc
import Machine
import Trace

/// The compiled program in this process, into which threadlab was loaded as a library. The process can run any number
/// of the program's executions.
package struct HostedProgram: @unchecked Sendable {
    /// The interface to the runtime. Only one OS thread uses it: hence `@unchecked`.
    let pointer: UnsafeMutablePointer<compiled_program_t>
    let files: [ProgramFile]
    let symbols: ProgramSymbols
    /// The first code whose effects threadlab does not know. Nil: there is none.
    let unknownCode: Escape?

    /// - Parameter pointer: must stay valid until the process ends.
    package init(_ pointer: UnsafeMutablePointer<compiled_program_t>) {
        self.pointer = pointer
        files = ProgramFile.all(of: pointer)
        symbols = ProgramSymbols(files)
        unknownCode = Escape.unknownCode(in: files)
        pointer.pointee.is_known = unknownCode == nil ? 1 : 0
        OwnMistake.prepare()
    }

    /// The path of the program's file, with symbolic links resolved.
    package var path: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// A subject whose executions find out which memory accesses must be steps: those to memory that several threads
    /// use.
    package func learner(_ rules: Rules) -> CompiledSubject {
        CompiledSubject(pointer, rules, log: nil, learns: true)
    }

    /// Runs one of the learner's executions, in a forked process, which must not fork others. What the execution
    /// teaches is in memory that this process shares with its parent.
    ///
    /// - Returns: whether the execution taught something new.
    package func learn(_ learner: CompiledSubject, _ chooser: any Chooser) -> Bool {
        let before = pointer.pointee.knowledge
        _ = learner.execute(chooser)
        return pointer.pointee.knowledge != before
    }

    /// Whether an execution has loaded libraries that should be loaded before every execution.
    package var hasLibraries: Bool { pointer.pointee.has_libraries() != 0 }

    /// Starts this process again, with the libraries loaded that executions have loaded. Returns if there are none, or
    /// if that is not possible. Must be called before the process's first execution.
    package func keepLibraries() { pointer.pointee.keep_libraries() }

    /// Learning ends after this number of successive executions that taught nothing.
    package static let enoughQuiet = 64
    /// The maximum number of executions from which steps are learned.
    package static let mostLearned = 1024

    /// The number of places whose accesses are not steps, although an execution has shown that they should be.
    var unlearned: Int { marked { $0 == UInt8(COMPILED_MISSED) }.count }

    /// The places in the code (indices of its bytes) whose marks satisfy the condition. A mark says whether accesses by
    /// the code at the place are steps (`shared_places`). Few bytes of code have one, so eight are tested at once.
    func marked(_ condition: (UInt8) -> Bool) -> [Int] {
        let marks = UnsafeRawBufferPointer(
            start: pointer.pointee.shared_places, count: Int(pointer.pointee.place_count))
        let word = MemoryLayout<UInt64>.size
        var places: [Int] = []
        for start in stride(from: 0, to: marks.count, by: word) {
            let end = min(start + word, marks.count)
            if end - start == word && marks.load(fromByteOffset: start, as: UInt64.self) == 0 { continue }
            places += (start..<end).filter { marks[$0] != 0 && condition(marks[$0]) }
        }
        return places
    }
}

/// A compiled program with its arguments, as a runnable program.
package struct CompiledProgram: Runnable {
    /// A `.lab` file that runs the program.
    package struct Frame: Sendable {
        let name: String
        let label: String
        let expectation: Expectation
        let statesExpectation: Bool

        package init(name: String, label: String, expectation: Expectation, statesExpectation: Bool) {
            self.name = name
            self.label = label
            self.expectation = expectation
            self.statesExpectation = statesExpectation
        }
    }

    private let hosted: HostedProgram
    /// The path of the program's file, as the user gave it.
    private let path: String
    /// The program's arguments, as a shell reads them.
    private let words: String
    private let frame: Frame?
    /// threadlab's version.
    private let version: String
    /// The steps that were known before the search began.
    private let learned: HostedProgram.Steps

    package static let argumentsName = "arguments"
    /// The parameter that names the steps which a search has added. The search's schedules can be repeated only with
    /// these steps.
    package static let stepsParameter = ParameterDescription(
        name: stepsName, help: "more places in the code that are steps, as a report says", form: .text,
        defaultValue: "", range: nil)
    package static let parameters = [
        ParameterDescription(
            name: argumentsName, help: "the program's arguments, as a shell reads them", form: .text, defaultValue: "",
            range: nil)
    ]

    /// - Parameters:
    ///   - words: the program's arguments, as a shell reads them.
    ///   - frame: the `.lab` file that sets the arguments and the expectation. Nil: the command line sets the
    ///     arguments.
    ///   - version: threadlab's version.
    ///   - learned: the steps that were known before the search began. Nil: those that are known now.
    package init(
        _ hosted: HostedProgram, path: String, words: String, in frame: Frame?, version: String,
        learned: HostedProgram.Steps? = nil
    ) {
        self.version = version
        self.learned = learned ?? hosted.present
        self.hosted = hosted
        self.path = path
        self.words = words
        self.frame = frame
    }

    package var name: String { frame?.name ?? path }
    package var label: String { frame?.label ?? path }
    package var parameters: [ParameterDescription] { frame == nil ? Self.parameters : [] }
    package var arguments: [(name: String, value: String)] {
        frame != nil || words.isEmpty ? [] : [(Self.argumentsName, words)]
    }
    package var guide: String? { nil }
    /// If the file states no expectation, runs may also end in a leak: many programs exit while threads exist that are
    /// never joined, on purpose.
    package var expectation: Expectation {
        if let frame, frame.statesExpectation { return frame.expectation }
        return .completes.orElse(.leak)
    }
    package var isOfFile: Bool { frame != nil }
    package var statesExpectation: Bool { frame?.statesExpectation ?? false }
    /// A sleep may end at any moment, because real sleeps order nothing.
    package var hasFreeTime: Bool { true }
    package var isControlledOnly: Bool { true }
    package var leavesNothing: Bool { true }

    package func run() throws { preconditionFailure("a compiled program is run by its own engine") }
    package func review(_ remains: Remains) throws {}

    package var unseen: String? {
        "All that the program does was under the scheduler's control, as far as the compiler tells: not of assembly, nor of structures "
            + "that calls pass or return, nor, by gcc, of a '__builtin_memset' of constant size and its like. No memory was allocated at "
            + "the address of a freed block."
    }

    package var carried: TraceHeader.Program? {
        .compiled(
            TraceHeader.Build(
                package: path.lastComponent, version: version, digest: hosted.digest, steps: hosted.stepsText))
    }

    package var mayDecideUnseen: Bool { true }
    package var unseenPart: String? { hosted.unseenPart }
    package var escape: String? { hosted.escape?.description }
    package var ownMistake: String? { OwnMistake.text }
    package var hasMissedSteps: Bool { hosted.unlearned > 0 || hosted.roundsDiffer }
    package var addedSteps: String? { hosted.present.text(without: learned) }
    package func takeMissedSteps() -> Bool { hosted.pointer.pointee.take_missed() != 0 }

    package var ownCode: String { "compiled code" }
    package func obstacle(under model: MemoryModel) -> String? {
        "\(label) is compiled, and compiled programs are searched under sequential consistency only: --model \(model.rawValue) for them is to come. A "
            + "report names the lines of weaker orders"
    }

    package func prepareRecording() { hosted.symbols.prepare() }

    package func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject {
        CompiledSubject(hosted.pointer, rules, log: log)
    }

    package func makeRecordedExecution(
        _ chooser: any Chooser, _ rules: Rules, _ journal: Journal, log: ChoiceMemory?, fibers: SpareFibers?
    ) -> any RecordedExecution {
        CompiledRun(hosted, chooser, rules, journal, log)
    }
}

/// One execution of a compiled program, whose events are recorded.
final class CompiledRun: RecordedExecution {
    private let record: ProgramRecord
    private let subject: CompiledSubject
    private let chooser: any Chooser
    let records: any RecordStorage = ModelRecords()

    init(
        _ hosted: HostedProgram, _ chooser: any Chooser, _ rules: Rules, _ journal: Journal, _ log: ChoiceMemory?
    ) {
        record = ProgramRecord(journal, hosted.symbols, hosted.pointer)
        subject = CompiledSubject(hosted.pointer, rules, log: log, record: record)
        self.chooser = chooser
    }

    var driver: Driver { subject.driver }
    func run() -> Verdict { subject.execute(chooser) }
    func name(of thread: ThreadID) -> String { record.name(of: Int(thread.index)) }
    func recordNextSteps() { record.recordNextSteps(driver.state) }
}
