import Authoring
import CCompiled
import Execution
import Glibc
import Machine
import Trace

/// A compiled program that this process was started with, and that it can run as often as it likes.
package struct HostedProgram: @unchecked Sendable {
    /// One OS thread uses it.
    let pointer: UnsafeMutablePointer<compiled_program_t>
    let files: [ProgramFile]
    let symbols: ProgramSymbols
    /// The first of its code of which it is not known what it does. Nil: there is none.
    let unknownCode: Escape?

    /// - Parameter pointer: lives as long as the process.
    package init(_ pointer: UnsafeMutablePointer<compiled_program_t>) {
        self.pointer = pointer
        files = ProgramFile.all(of: pointer)
        symbols = ProgramSymbols(files)
        unknownCode = Escape.unknownCode(in: files)
        pointer.pointee.is_known = unknownCode == nil ? 1 : 0
        OwnMistake.prepare()
    }

    /// The path of its file, without links.
    package var path: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Of executions from which it is learned which accesses of memory are steps.
    package func learner(_ rules: Rules) -> CompiledSubject {
        CompiledSubject(pointer, rules, log: nil, learns: true)
    }

    /// Runs one of them, in a process that must not be the first of others. What is learned is in memory that forked processes share.
    ///
    /// - Returns: whether something new was learned.
    package func learn(_ learner: CompiledSubject, _ chooser: any Chooser) -> Bool {
        let before = pointer.pointee.knowledge
        _ = learner.execute(chooser)
        return pointer.pointee.knowledge != before
    }

    /// Whether executions have loaded libraries that are to be loaded before all of them.
    package var hasLibraries: Bool { pointer.pointee.has_libraries() != 0 }

    /// Then begins the process again, with them, and does not return. To be called before the first execution of this process.
    package func keepLibraries() { pointer.pointee.keep_libraries() }

    /// After this number of executions that have taught nothing, and after that number in any case, no more is learned.
    package static let enoughQuiet = 64
    package static let mostLearned = 1024

    /// The number of those where they are not, although executions have shown that they should be.
    var unlearned: Int { marked { $0 == UInt8(COMPILED_MISSED) }.count }

    /// The places in the code whose marks are such. Few of its bytes have a mark, so eight are looked at together.
    func marked(_ isSuch: (UInt8) -> Bool) -> [Int] {
        let marks = UnsafeRawBufferPointer(
            start: pointer.pointee.shared_places, count: Int(pointer.pointee.place_count))
        let word = MemoryLayout<UInt64>.size
        var places: [Int] = []
        for start in stride(from: 0, to: marks.count, by: word) {
            let end = min(start + word, marks.count)
            if end - start == word && marks.load(fromByteOffset: start, as: UInt64.self) == 0 { continue }
            places += (start..<end).filter { marks[$0] != 0 && isSuch(marks[$0]) }
        }
        return places
    }
}

/// A compiled program with its arguments, as something to run.
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
    /// Its file's path, as it was given.
    private let path: String
    private let words: String
    private let frame: Frame?
    /// Of threadlab.
    private let version: String
    /// What was known to be a step before anything was searched.
    private let learned: HostedProgram.Steps

    package static let argumentsName = "arguments"
    /// Where schedules of a search that has added steps are given: which.
    package static let stepsParameter = ParameterDescription(
        name: stepsName, help: "more places in the code that are steps, as a report says", form: .text,
        defaultValue: "", range: nil)
    package static let parameters = [
        ParameterDescription(
            name: argumentsName, help: "the program's arguments, as a shell reads them", form: .text, defaultValue: "",
            range: nil)
    ]

    /// - Parameters:
    ///   - words: its arguments, as a shell reads them.
    ///   - frame: what fixes its arguments, and says how it may end. Nil: the command line does.
    ///   - version: of threadlab.
    ///   - learned: what was known to be a step before anything was searched. Nil: what is now.
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
    /// A process may exit while threads that are never joined still exist: programs do that on purpose.
    package var expectation: Expectation {
        if let frame, frame.statesExpectation { return frame.expectation }
        return .completes.orElse(.leak)
    }
    package var isOfFile: Bool { frame != nil }
    package var statesExpectation: Bool { frame?.statesExpectation ?? false }
    /// A sleep orders nothing.
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
