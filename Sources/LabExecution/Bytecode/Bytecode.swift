import LabProgram
import LabSyntax
import Machine
import Synchronization
import Trace

/// A program compiled for given parameters: flat code, and the objects and threads of a run.
///
/// The words of a run are the shared ones (started threads, contents of lists, words of built objects) and, for each
/// thread, `ThreadWords`. Everything else is in the machine or behind a runtime.
package final class Bytecode: @unchecked Sendable {
    /// The maximum number of values in a list.
    package static let listCapacity = 1024
    /// The maximum number of alternatives of a `choose`.
    package static let mostChoices = 1 << 20
    /// The maximum number of instructions of a thread between two visible operations.
    package static let patience = 1_000_000
    /// A note counts as this number of instructions.
    static let costOfNote = 1000

    /// The memory that the interpreter reads.
    struct Tables {
        let code: UnsafeMutablePointer<Instruction>
        let forms: UnsafeMutablePointer<OperationForm>
        let constants: UnsafeMutablePointer<Int>
        let bodies: UnsafeMutablePointer<CompiledBody>
    }

    package let program: Program
    package let configuration: Configuration
    let code: OwnedBuffer<Instruction>
    let codeCount: Int
    let forms: OwnedBuffer<OperationForm>
    let constants: OwnedBuffer<Int>
    /// Functions first, then the main thread, the threads, and the claims.
    let bodies: OwnedBuffer<CompiledBody>
    /// All of that, for the interpreter.
    let tables: Owned<Tables>
    let mainBody: Int
    let texts: [CompiledText]
    /// In the order in which they are created. The first has number 1.
    let objects: [CompiledObject]
    let threads: [CompiledThread]
    let claims: [CompiledClaim]
    /// By claim: the sought state that a run ends in that breaks it (`Program.soughtStates`).
    let brokenStates: [Int: String]
    /// By object: whether claims about every state read it.
    let isObserved: [Bool]
    /// By thread, the main thread last: whether its code says where it makes progress.
    let makesProgress: [Bool]
    let hasProgress: Bool
    /// What threads test before they wait for a condition, by the place of the wait in the code. They wait while it is true.
    let waitTests: [Int: Program.Expression]
    /// What the messages of failed assertions show, by the number of their texts.
    let assertions: [Int: CompiledAssertion]
    /// The places in the code of reads by conditions of assertions.
    let assertedReads: Set<Int>
    /// By the number of a declared object: the number of its first element.
    let firstObject: [Int]
    /// The shared words that say of claims whether they have been true.
    let eventualWords: [Int]
    /// The initial values of the shared words.
    let initialWords: [Int]
    /// For each object that is a list, the start of its words.
    let listStart: [Int: Int]
    /// Where calls of specified functions are recorded, and what they should do. Nil: no claim is about them.
    let callLogs: CallLogs?
    let specification: CompiledSpecification?
    /// The start of the lists among the shared words, and of the logs of calls; and the words that belong to no list.
    let listStarts: [Int]
    let plainWords: [Int]

    /// - Parameter specification: nil if no claim is about calls.
    init(_ compiler: consuming Compiler, _ specification: CompiledSpecification?) {
        callLogs = compiler.callLogs
        self.specification = specification
        program = compiler.program
        configuration = compiler.configuration
        codeCount = compiler.code.count
        code = OwnedBuffer(compiler.code)
        forms = OwnedBuffer(compiler.forms)
        constants = OwnedBuffer(compiler.constants)
        bodies = OwnedBuffer(compiler.bodies)
        tables = Owned(
            Tables(code: code.base, forms: forms.base, constants: constants.base, bodies: bodies.base))
        mainBody = compiler.program.functions.count
        texts = compiler.texts
        objects = compiler.objects
        threads = compiler.threads
        claims = compiler.claims
        brokenStates = compiler.brokenStates
        waitTests = compiler.waitTests
        assertions = compiler.assertions
        assertedReads = Set(assertions.values.flatMap(\.reads))
        firstObject = compiler.firstObject
        isObserved = compiler.observedFlags
        makesProgress = compiler.progressingThreads
        hasProgress = makesProgress.contains(true)
        hasUncountedLoops = compiler.code.contains { $0.opcode == .jumpBack }
        waitsBesideLoops =
            hasUncountedLoops
            && compiler.forms.contains { $0.arguments == .timeout || $0.arguments == .sleep }
        eventualWords = claims.compactMap { if case .eventually(let word) = $0.kind { word } else { nil } }
        initialWords = compiler.sharedWords
        listStart = compiler.listStart
        listStarts = (listStart.values + (callLogs?.logs.map(\.start) ?? [])).sorted()
        var isPlain = [Bool](repeating: true, count: initialWords.count)
        for start in listStarts { for word in start...start + Self.listCapacity { isPlain[word] = false } }
        plainWords = isPlain.indices.filter { isPlain[$0] }
    }

    /// What only counts. It is found when it is first asked for: a program that is only read has no use for it, and it takes ten times as
    /// long as the rest. Threads that ask at once each find it, and one result stays: a lock could be held in a copy of the process.
    var counters: Counters {
        if let found = foundCounters.load() { return found.counters }
        return foundCounters.storeIfNil(FoundCounters(Counters(self))).counters
    }

    private let foundCounters = AtomicLazyReference<FoundCounters>()

    private final class FoundCounters: Sendable {
        let counters: Counters

        init(_ counters: Counters) { self.counters = counters }
    }

    /// Sets the shared words to their initial values.
    func reset(_ words: UnsafeMutablePointer<Int>) {
        initialWords.withUnsafeBufferPointer { initial in
            if let initial = initial.baseAddress { copyShared(initial, to: words) }
        }
    }

    /// Copies the shared words. What is beyond the end of a list is never read.
    func copyShared(_ source: UnsafePointer<Int>, to words: UnsafeMutablePointer<Int>) {
        for word in plainWords { words[word] = source[word] }
        for start in listStarts {
            for word in start...start + source[start] { words[word] = source[word] }
        }
    }

    /// Whether the program says where its threads make progress, or what must happen.
    var hasExpectations: Bool { hasProgress || !eventualWords.isEmpty }

    /// Whether a claim must be true in some state.
    var judgesOnTheWay: Bool { !eventualWords.isEmpty }

    /// Whether there is a loop that nothing counts.
    let hasUncountedLoops: Bool

    /// Whether a thread can wait for a moment while another one goes round a loop that nothing counts: then time may pass
    /// although threads can step.
    let waitsBesideLoops: Bool

    /// Whether a claim that must be true in some state has not been true yet.
    func isUnfulfilled(_ words: UnsafeMutablePointer<Int>) -> Bool { eventualWords.contains { words[$0] == 0 } }

    /// The message of a failed thread.
    func message(of stop: Stop, _ thread: UnsafeMutablePointer<Int>) -> String {
        stop.failure == .assertion
            ? texts[stop.a].text(thread + stop.b) : stop.failure.message(stop.sign, stop.a, stop.b)
    }
}

extension Program {
    /// Compiles the program for given parameters. Not for programs that run a built-in scenario.
    ///
    /// - Parameter arguments: a value for each parameter. Nil: the defaults.
    /// - Throws: the error in the constants.
    package func compiled(with arguments: [Int]? = nil) throws(Diagnostic) -> Bytecode {
        var compiler = Compiler(self, try configured(with: arguments))
        compiler.compile()
        if compiler.callLogs == nil { return Bytecode(compiler, nil) }
        return Bytecode(compiler, try specification?.compiled(with: arguments))
    }
}

/// An object of a run: an element of a declared one, or a part of a built one.
struct CompiledObject {
    var kind: ObjectState.Kind
    var shown: ObjectKind
    var name: String
    var value: Int
    var line: Int
    /// The number of the object as which the program knows it. Nil: it knows this one.
    var owner: Int?
}

/// A thread that a run can start.
struct CompiledThread {
    var name: String
    /// Its number in its array.
    var index: Int
    /// Its body's number in `Bytecode.bodies`.
    var body: Int
    var line: Int
    /// The number of its seat, an object that holds the thread once it has been started. 0: it exists from the start.
    var seat: UInt32 = 0
}

/// What the message of a failed assertion shows of its condition.
struct CompiledAssertion {
    /// A variable of the thread.
    struct Variable {
        var name: String
        var slot: Int
        var type: ValueType
    }

    /// The places in the code where it reads, in order.
    var reads: [Int]
    var variables: [Variable]
    /// Whether it has a text of its own.
    var hasText: Bool
}

/// A text whose values are on the stack when it is needed.
struct CompiledText {
    enum Part {
        case words(String)
        case value(ValueType)
    }

    var parts: [Part]

    func text(_ values: UnsafePointer<Int>) -> String {
        var text = ""
        var next = 0
        for part in parts {
            switch part {
            case .words(let words): text += words
            case .value(let type):
                text += type.text(of: values[next])
                next += 1
            }
        }
        return text
    }
}

extension ValueType {
    /// As written in the language.
    func text(of value: Int) -> String {
        switch self {
        case .integer: return "\(value)"
        case .boolean: return value == 0 ? "false" : "true"
        case .duration:
            for (unit, length) in [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000)] where value % length == 0 {
                if value != 0 { return "\(value / length)\(unit)" }
            }
            return "\(value)ns"
        }
    }
}
