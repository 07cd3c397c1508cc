import LabProgram
import LabSyntax
import Machine

/// A program for given parameters, compiled: flat code, and what the objects and threads of a run are.
///
/// The words of a run are the shared ones (which threads were started, what lists hold, what built objects keep) and, for each
/// thread, `ThreadWords`. All else is in the machine or behind a runtime.
package final class Bytecode: @unchecked Sendable {
    /// The most values that a list holds.
    package static let listCapacity = 1024
    /// The most alternatives of a `choose`.
    package static let mostChoices = 1 << 20
    /// How many instructions a thread may take between two visible operations.
    package static let patience = 1_000_000

    package let program: Program
    let configuration: Configuration
    let code: OwnedBuffer<Instruction>
    let codeCount: Int
    let forms: OwnedBuffer<OperationForm>
    let constants: OwnedBuffer<Int>
    /// Functions first, then the main thread, then the threads, then what claims ask.
    let bodies: OwnedBuffer<CompiledBody>
    let mainBody: Int
    let texts: [CompiledText]
    /// In the order in which they are made. Number 1 is the first.
    let objects: [CompiledObject]
    let threads: [CompiledThread]
    let claims: [CompiledClaim]
    /// What the shared words begin with.
    let initialWords: [Int]
    /// For each object that is a list, where its words begin.
    let listStart: [Int: Int]
    /// Where lists begin among the shared words; and the words that belong to no list.
    let listStarts: [Int]
    let plainWords: [Int]

    init(_ compiler: consuming Compiler) {
        program = compiler.program
        configuration = compiler.configuration
        codeCount = compiler.code.count
        code = OwnedBuffer(compiler.code)
        forms = OwnedBuffer(compiler.forms)
        constants = OwnedBuffer(compiler.constants)
        bodies = OwnedBuffer(compiler.bodies)
        mainBody = compiler.program.functions.count
        texts = compiler.texts
        objects = compiler.objects
        threads = compiler.threads
        claims = compiler.claims
        initialWords = compiler.sharedWords
        listStart = compiler.listStart
        listStarts = listStart.values.sorted()
        var isPlain = [Bool](repeating: true, count: initialWords.count)
        for start in listStarts { for word in start...start + Self.listCapacity { isPlain[word] = false } }
        plainWords = isPlain.indices.filter { isPlain[$0] }
    }

    /// What a failed thread has to say.
    func message(of stop: Stop, _ thread: UnsafeMutablePointer<Int>) -> String {
        stop.failure == .assertion
            ? texts[stop.a].text(thread + stop.b) : stop.failure.message(stop.sign, stop.a, stop.b)
    }
}

extension Program {
    /// Compiles the program for given parameters. Not for one that runs a built-in scenario.
    ///
    /// - Parameter arguments: a value for each parameter. Nil: the defaults.
    /// - Throws: what is wrong with the constants.
    package func compiled(with arguments: [Int]? = nil) throws(Diagnostic) -> Bytecode {
        var compiler = Compiler(self, try configured(with: arguments))
        compiler.compile()
        return Bytecode(compiler)
    }
}
