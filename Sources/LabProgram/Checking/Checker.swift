import LabSyntax

/// Turns a syntax tree into a program: resolves names, finds types, and reports what is not valid.
struct Checker {
    /// Thrown when the check of a statement or declaration is abandoned. The error in the source, or an earlier one
    /// that may have caused it, has been reported.
    struct Refused: Error {}

    /// The context of an expression, which determines what is allowed in it.
    enum Mode {
        /// Code of a thread, a function or `finally`.
        case code
        /// A constant, such as the number of an array's elements.
        case constant
        /// The condition of an `await`.
        case await
        /// The condition of an expectation.
        case claim
    }

    let source: SourceText
    /// The scenarios that `run` may name. Nil: any.
    let builtIns: [KnownScenario]?
    /// The names of the command line's own options.
    let options: Set<String>
    /// Whether an unknown name may have been declared in a part that the parser could not read.
    let hasLostNames: Bool
    var diagnostics: Diagnostics
    var program: Program
    /// By name, what is declared outside of threads, and the place of its name.
    var globals: [String: (global: Global, span: Span)] = [:]
    var usage = Usage()
    var mode = Mode.code
    /// While a specification is checked, the names that the program around it declares. It can use only the parameters
    /// among them.
    var namesOutside: Set<String> = []
    /// The body that is being checked. Nil outside of threads, functions and `finally`.
    var body: BodyScope?
    /// Whether the file runs a built-in scenario or a compiled program, whose variables it cannot name.
    private(set) var runsBuiltIn = false
    var said = SaidOfRuns()
    /// The numbers of the parameters, objects and threads that are still to be checked, in the order of the text.
    var parameters = (0..<0).makeIterator()
    var objects = (0..<0).makeIterator()
    var threads = (0..<0).makeIterator()
    /// For each function, the functions that it calls.
    var callees: [Set<Int>] = []

    init(_ source: SourceText, builtIns: [KnownScenario]?, options: Set<String>, after syntax: SyntaxReading) {
        self.source = source
        self.builtIns = builtIns
        self.options = options
        diagnostics = syntax.diagnostics
        hasLostNames = syntax.hasLostNames
        program = Program(title: "", description: [], source: source)
    }

    mutating func check(_ file: Syntax.File) {
        program.title = file.title
        program.description = file.description
        runsBuiltIn = file.items.contains { if case .run = $0 { true } else { false } }
        declareAll(file.items)
        parameters = program.parameters.indices.makeIterator()
        objects = program.objects.indices.makeIterator()
        threads = program.threads.indices.makeIterator()
        for item in file.items { checkParameter(item) }
        for item in file.items { checkObjects(item) }
        for item in file.items { checkSignature(item) }
        checkBodies(file.items)
        checkSpecification(file.items)
        for item in file.items { checkClaim(item) }
        checkRecordedCalls(file.items)
        checkTask(file)
        settleThreads()
        if diagnostics.errors.isEmpty { program.hasProgress = program.findsProgress() }
        if diagnostics.errors.isEmpty { checkConfiguration() }
        if diagnostics.errors.isEmpty { review() }
        if diagnostics.errors.isEmpty { warnOfTask() }
    }

    // MARK: - Mistakes

    /// To be thrown after an error that has been reported.
    func refusal() -> Refused { Refused() }

    mutating func refuse(_ problem: some Problem, at span: Span, notes: [Diagnostic.Note] = []) -> Refused {
        diagnostics.report(problem, at: span, notes: notes)
        return Refused()
    }

    /// Reports an unknown name, unless a declaration that could not be parsed may have declared it.
    ///
    /// - Parameters:
    ///   - what: the noun for what is wanted.
    ///   - hint: called only if the name is reported.
    mutating func refuseUnknown(_ name: String, _ what: String, at span: Span, _ hint: (Checker) -> String?) -> Refused
    {
        if hasLostNames || diagnostics.isFull { return Refused() }
        let hint =
            namesOutside.contains(name) ? "a specification has variables and functions of its own" : hint(self)
        return refuse(NameProblem.unknown(name, what: what, hint: hint), at: span)
    }

    /// The result of the body. Nil: the body has refused the code.
    mutating func attempt<Result>(_ body: (inout Checker) throws(Refused) -> Result) -> Result? {
        do throws(Refused) { return try body(&self) } catch { return nil }
    }

    func site(_ span: Span) -> Site { source.site(of: span.start) }

    /// Runs the body, which checks expressions in another context.
    mutating func with<Result>(
        _ mode: Mode, _ body: (inout Checker) throws(Refused) -> Result
    ) throws(Refused) -> Result {
        let before = self.mode
        self.mode = mode
        defer { self.mode = before }
        return try body(&self)
    }

    /// Checks the program's limits for the parameters' default values.
    private mutating func checkConfiguration() {
        do throws(Diagnostic) {
            _ = try program.configured()
        } catch {
            diagnostics.add(error)
        }
    }
}

/// The meaning of a name that is declared outside of threads: a kind of declaration, and an index in the array of
/// `Program` for this kind.
enum Global: Hashable {
    case parameter(Int)
    case object(Int)
    case thread(Int)
    case function(Int)
}

/// How the program uses its declarations. Objects and threads are given by their numbers.
struct Usage {
    /// Declarations that are used in any way.
    var used: Set<Global> = []
    /// Objects whose value is read.
    var read: Set<Int> = []
    var spawned: Set<Int> = []
    var joined: Set<Int> = []
    var detached: Set<Int> = []
}

/// The properties of a built-in scenario against which a file that runs it is checked.
package struct KnownScenario: Sendable {
    package struct Parameter: Sendable {
        /// What the parameter accepts.
        package enum Form: Equatable, Sendable {
            case integer, duration
            case words([String])
        }

        package var name: String
        package var form: Form

        package init(name: String, form: Form) {
            self.name = name
            self.form = form
        }
    }

    package var name: String
    package var parameters: [Parameter]

    package init(name: String, parameters: [Parameter]) {
        self.name = name
        self.parameters = parameters
    }
}
