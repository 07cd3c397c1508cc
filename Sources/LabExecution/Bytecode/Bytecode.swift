import LabProgram
import LabSyntax
import Machine
import Synchronization
import Trace

/// A `.lab` program, compiled for given parameters into code for a stack machine (`Interpreter`), with the objects and
/// threads of a run.
///
/// A run has words, which belong to the interpreter: the shared ones (such as the contents of lists and the words of
/// built objects) and, for each thread, `ThreadWords` and its stack. All other state is in the machine, or behind a
/// runtime.
package final class Bytecode: @unchecked Sendable {
    /// The maximum number of values in a list.
    package static let listCapacity = 1024
    /// The maximum number of alternatives of a `choose`.
    package static let mostChoices = 1 << 20
    /// The maximum number of instructions of a thread between two visible operations. A thread that needs more counts
    /// as being in an endless loop.
    package static let patience = 1_000_000
    /// A note counts as this number of instructions towards `patience`.
    static let costOfNote = 1000

    /// The addresses of what the interpreter reads.
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
    /// The code of the functions, then of the main thread, the declared threads, and the claims.
    let bodies: OwnedBuffer<CompiledBody>
    /// The addresses of these tables, for the interpreter.
    let tables: Owned<Tables>
    /// The number of the main thread's body.
    let mainBody: Int
    let texts: [CompiledText]
    /// The objects in the order of their creation. The first has number 1.
    let objects: [CompiledObject]
    /// The threads in the order of their declarations, without the main thread.
    let threads: [CompiledThread]
    let claims: [CompiledClaim]
    /// By claim that `Program.soughtStates` lists as broken: the text of the state in which a run breaks it.
    let brokenStates: [Int: String]
    /// By object, whether claims about every state read it.
    let isObserved: [Bool]
    /// By thread, the main thread last: whether its code has a `progress`.
    let makesProgress: [Bool]
    /// Whether any thread's code has a `progress`.
    let hasProgress: Bool
    /// By the position in the code of a wait on a condition: the condition of the innermost loop or branch around it.
    /// The thread waits while this test is true.
    let waitTests: [Int: Program.Expression]
    /// By the number of a failed assertion's text: the values that its message shows.
    let assertions: [Int: CompiledAssertion]
    /// The positions in the code of reads by conditions of assertions.
    let assertedReads: Set<Int>
    /// By the number of a declared object: the number of its first element.
    let firstObject: [Int]
    /// The positions of shared words, one for each `eventually` claim: whether it has been true so far.
    let eventualWords: [Int]
    /// The initial values of the shared words.
    let initialWords: [Int]
    /// By the number of a list object: the start of its words, which are the number of its values, then room for
    /// `listCapacity` values.
    let listStart: [Int: Int]
    /// The logs of calls of specified functions. Nil: no claim is about calls.
    let callLogs: CallLogs?
    /// The behavior that is specified for these functions. Nil: no claim is about calls.
    let specification: CompiledSpecification?
    /// Where lists and logs of calls, which are lists too, begin among the shared words.
    let listStarts: [Int]
    /// The positions of the shared words that do not belong to a list.
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

    /// The variables that only count. They are computed at the first use: it takes ten times as long as compiling, and
    /// a program that is not run does not need them. If several threads ask at the same time, each computes them, and
    /// one result is kept. A lock would not do: it could be held when the process is forked.
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

    /// Copies the shared words. Words beyond the end of a list are never read.
    func copyShared(_ source: UnsafePointer<Int>, to words: UnsafeMutablePointer<Int>) {
        for word in plainWords { words[word] = source[word] }
        for start in listStarts {
            for word in start...start + source[start] { words[word] = source[word] }
        }
    }

    /// Whether the program has `eventually` claims or `progress` statements, which a run without end can violate.
    var hasExpectations: Bool { hasProgress || !eventualWords.isEmpty }

    /// Whether the program has a claim that must be true in some state of each run (`eventually`).
    var judgesOnTheWay: Bool { !eventualWords.isEmpty }

    /// Whether there is a loop without a counter.
    let hasUncountedLoops: Bool

    /// Whether a thread can wait for a time while another one repeats a loop without a counter. If so, time may pass
    /// although threads can step.
    let waitsBesideLoops: Bool

    /// Whether an `eventually` claim has not been true so far.
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
    /// - Throws: the error in the program's constants.
    package func compiled(with arguments: [Int]? = nil) throws(Diagnostic) -> Bytecode {
        var compiler = Compiler(self, try configured(with: arguments))
        compiler.compile()
        if compiler.callLogs == nil { return Bytecode(compiler, nil) }
        return Bytecode(compiler, try specification?.compiled(with: arguments))
    }
}

/// An object of a run: an element of a declared object, a part of a built object, the seat of a thread, or the atomic
/// that belongs to a log of calls.
struct CompiledObject {
    var kind: ObjectState.Kind
    /// The kind under which reports show it.
    var shown: ObjectKind
    var name: String
    /// The initial value.
    var value: Int
    var line: Int
    /// The number of the object of which it is a part, for reports. Nil: it is not a part.
    var owner: Int?
}

/// A thread that a run can start.
struct CompiledThread {
    var name: String
    /// The thread's number in its array.
    var index: Int
    /// The number of its body in `Bytecode.bodies`.
    var body: Int
    var line: Int
    /// The number of its seat, an object that identifies the thread once it has been started. 0: the thread has none,
    /// because it exists from the start.
    var seat: UInt32 = 0
}

/// The parts of an assertion's condition whose values the message of a failure shows.
struct CompiledAssertion {
    /// A variable of the thread.
    struct Variable {
        var name: String
        var slot: Int
        var type: ValueType
    }

    /// The positions in the code where the condition reads, in order.
    var reads: [Int]
    var variables: [Variable]
    /// Whether the assertion has a text of its own.
    var hasText: Bool
}

/// The text of a note or of an assertion, with gaps for values. When it is shown, the values are on the stack.
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
    /// The value as written in the language.
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
