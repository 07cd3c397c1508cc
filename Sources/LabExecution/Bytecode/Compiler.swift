import LabProgram
import LabSyntax
import Machine
import Recipes
import Trace

/// Compiles a program with given parameters into the tables of a `Bytecode`: walks through the tree of each body once,
/// and emits instructions for a stack machine.
struct Compiler {
    let program: Program
    let configuration: Configuration

    var code: [Instruction] = []
    var forms: [OperationForm] = []
    var constants: [Int] = []
    var bodies: [CompiledBody] = []
    var texts: [CompiledText] = []
    var objects: [CompiledObject] = []
    var threads: [CompiledThread] = []
    var claims: [CompiledClaim] = []
    var brokenStates: [Int: String] = [:]
    var sharedWords: [Int] = []
    /// The declared objects that claims about every state read.
    private(set) var observed: Set<Int> = []
    /// By object, whether claims about every state read it.
    var observedFlags: [Bool] {
        var flags = [Bool](repeating: false, count: objects.count + 1)
        for number in observed {
            let first = firstObject[number]
            for object in first..<first + configuration.elementCounts[number] { flags[object] = true }
        }
        return flags
    }
    /// By the number of a declared object: the object number of its first element, which is its index in `objects` plus
    /// one.
    var firstObject: [Int] = []
    /// By the number of a declared thread: the index of its first element in `threads`.
    var firstThread: [Int] = []
    /// By the number of a declared thread: the machine's number of its first element. Valid if it exists from the
    /// start.
    var firstStarted: [Int] = []
    /// By the number of a declared thread: the object number of its first element's seat. Valid if it is started later.
    var firstSeat: [Int] = []
    /// By the number of a list object: the start of its shared words.
    var listStart: [Int: Int] = [:]
    /// By the number of a declared built object: its first shared word.
    var builtWords: [Int: Int] = [:]
    /// By the number of a declared built object: for each of its conditions, the object number in the first element.
    var builtConditions: [Int: [Int]] = [:]
    /// The number of slots of each body that recipes use: one for the element, and their local variables.
    private(set) var recipeSlots = 0
    /// The logs of calls of specified functions. Nil: no claim is about calls.
    var callLogs: CallLogs?
    /// By the number of a declared thread, the main thread last: the number of its first element's log.
    var firstLog: [Int?] = []
    /// The number of slots of each body for the arguments of a recorded call, and its result.
    private(set) var callSlots = 0

    // The state of the body that is being compiled.

    /// The cleanups of the enclosing blocks, the innermost last.
    var cleanups: [Cleanup] = []
    var loops: [Loop] = []
    var slots = 0
    var isFunction = false
    /// An upper bound of the number of values on the stack: those that the current statement has pushed so far.
    var depth = 0
    /// The greatest `depth` so far in the body.
    var deepest = 0
    /// The calls in the body: the functions, and the depth of the stack at each.
    var calls: [(function: Int, depth: Int)] = []
    var line = 1
    /// The conditions of the enclosing loops and branches, the innermost last. Nil: more than one condition decides
    /// whether the block runs, as for an `else`, or none does.
    var tests: [Program.Expression?] = []
    /// See `Bytecode.assertions`.
    var assertions: [Int: CompiledAssertion] = [:]
    var variables: [Program.Body.Slot] = []
    /// See `Bytecode.waitTests`.
    var waitTests: [Int: Program.Expression] = [:]
    /// Whether the current reads belong to an `await`.
    var isWatching = false
    /// The position to which the last forward jump leads. The instructions before and after it must not be merged.
    private var lastLanding = 0

    /// What must be done when a block is left, such as unlocking its mutex.
    struct Cleanup {
        var place: Program.Place
        var kind: Kind

        enum Kind {
            case operation(Operation.Kind)
            /// The operation at the end of a built object's block.
            case recipe(Recipe.Operation)
        }
    }

    struct Loop {
        /// The number of cleanups of the blocks around the loop.
        var cleanups: Int
        /// The jumps of `break`, to the end of the loop.
        var leaving: [Int] = []
        /// The jumps of `continue`, to the end of the round.
        var next: [Int] = []
    }

    init(_ program: Program, _ configuration: Configuration) {
        self.program = program
        self.configuration = configuration
        for case .built(let recipe) in program.objects.map(\.kind) {
            recipeSlots = max(recipeSlots, 1 + recipe.localCount)
        }
    }

    mutating func compile() {
        observed = program.observedObjects
        layOutThreads()
        layOutObjects()
        layOutCallLogs()
        callSlots = callLogs?.parameters.compactMap { $0.map { $0 + 1 } }.max() ?? 0
        for function in program.functions {
            body(function.body, isFunction: true, parameters: function.parameters.count)
        }
        mainBody()
        for thread in program.threads { body(thread.body, isFunction: false) }
        for claim in program.presentClaims { compile(claim) }
        measureBodies()
    }

    // MARK: - Bodies

    private mutating func body(_ body: Program.Body, isFunction: Bool, parameters: Int = 0) {
        begin(slots: body.slots.count, isFunction: isFunction)
        variables = body.slots
        let entry = code.count
        block(body.block)
        emit(isFunction ? .return : .end, isFunction ? slots : 0, 0)
        finish(entry, parameters)
    }

    private mutating func mainBody() {
        let finally = program.finally
        begin(slots: finally?.slots.count ?? 0, isFunction: false)
        variables = finally?.slots ?? []
        let entry = code.count
        if !observed.isEmpty { emit(.observe) }
        for (number, thread) in program.threads.enumerated() where thread.startsByItself {
            line = thread.site.line
            forEach(Program.ThreadPlace(thread: number, index: nil)) { $0.emit(.spawn, 0, 1) }
        }
        for (number, thread) in program.threads.enumerated() where thread.isJoinedByMain {
            line = thread.site.line
            operate(on: Program.ThreadPlace(thread: number, index: nil), .join)
        }
        if let finally { block(finally.block) }
        // A `return` in `finally` jumps here.
        for jump in mainReturns { code[jump].a = Int32(code.count) }
        mainReturns = []
        if !program.claims.isEmpty {
            operate(OperationForm(kind: .inspect))
            emit(.review)
        }
        emit(.end)
        // While the main thread exits, which is a step, its position is after the first `end`. The second one makes
        // that position a part of the body.
        emit(.end)
        finish(entry, 0)
    }

    /// The jumps of `return` in `finally`.
    var mainReturns: [Int] = []
    /// Whether the body that is being compiled is the main thread's.
    var isMain: Bool { bodies.count == program.functions.count }

    mutating func begin(slots: Int, isFunction: Bool) {
        self.slots = slots + recipeSlots + callSlots
        self.isFunction = isFunction
        cleanups = []
        loops = []
        tests = []
        calls = []
        depth = 0
        deepest = 0
    }

    mutating func finish(_ entry: Int, _ parameters: Int) {
        bodies.append(CompiledBody(entry: entry, slots: slots, parameters: parameters))
        callsOf.append(calls)
        deepestOf.append(deepest)
    }

    /// The bodies that contain a `progress`.
    var bodiesWithProgress: Set<Int> = []

    /// By thread, the main thread last: whether its body, or a function that the body calls, has a `progress`.
    var progressingThreads: [Bool] {
        var known = [Bool?](repeating: nil, count: bodies.count)
        return (threads.map(\.body) + [program.functions.count]).map { hasProgress($0, &known) }
    }

    /// Whether the body, or a function that it calls, has a `progress`. The recursion ends, because no function calls
    /// itself.
    private func hasProgress(_ body: Int, _ known: inout [Bool?]) -> Bool {
        if let answer = known[body] { return answer }
        let answer = bodiesWithProgress.contains(body) || callsOf[body].contains { hasProgress($0.function, &known) }
        known[body] = answer
        return answer
    }

    /// By body: its `calls`.
    var callsOf: [[(function: Int, depth: Int)]] = []
    /// By body: its `deepest`.
    var deepestOf: [Int] = []

    /// Computes the number of words that each body needs.
    mutating func measureBodies() {
        var words = [Int?](repeating: nil, count: bodies.count)
        for body in bodies.indices { bodies[body].words = ThreadWords.count + frame(of: body, &words) }
    }

    /// The number of words of a frame of the body, with the frames of the functions that it calls.
    private func frame(of body: Int, _ known: inout [Int?]) -> Int {
        if let words = known[body] { return words }
        var stack = deepestOf[body] + Self.spareWords
        for call in callsOf[body] { stack = max(stack, call.depth + frame(of: call.function, &known)) }
        let words = bodies[body].slots + CompiledBody.linkWords + stack
        known[body] = words
        return words
    }

    /// Room above the stack: the interpreter may write a word there.
    private static let spareWords = 2

    // MARK: - Code

    /// Appends an instruction, and returns its position.
    @discardableResult
    mutating func emit(_ opcode: Opcode, _ a: Int = 0, _ b: Int = 0) -> Int {
        code.append(Instruction(opcode, a, b, line: line))
        return code.count - 1
    }

    /// Makes an earlier jump lead to this position.
    mutating func land(_ jump: Int) {
        code[jump].a = Int32(code.count)
        lastLanding = code.count
    }

    /// Jumps if the value on top is false. A comparison directly before is merged with the jump.
    mutating func jumpIfFalse() -> Int {
        if lastLanding != code.count, let last = code.last, let jump = last.opcode.jumpUnless {
            code[code.count - 1].opcode = jump
            return code.count - 1
        }
        return emit(.jumpIfFalse)
    }

    /// Applies an operator to the two values on top. An addition is merged with a `push` directly before it.
    mutating func apply(_ sign: Operator) {
        if lastLanding != code.count, sign == .add, let last = code.last, last.opcode == .push {
            code[code.count - 1] = Instruction(.addConstant, Int(last.a), line: line)
            return
        }
        emit(Opcode(sign))
    }

    /// Notes that an instruction pushes a value.
    mutating func pushed() {
        depth += 1
        deepest = max(deepest, depth)
    }

    mutating func push(_ value: Int) {
        if Int32(exactly: value) != nil {
            emit(.push, value)
        } else {
            emit(.constant, constants.count)
            constants.append(value)
        }
        pushed()
    }

    /// Emits a visible operation.
    ///
    /// - Parameter object: its number. 0: it is on the stack, or there is none.
    mutating func operate(_ form: OperationForm, on object: Int = 0) {
        forms.append(form)
        emit(.operate, object, forms.count - 1)
        if form.hasResult { pushed() }
    }
}
