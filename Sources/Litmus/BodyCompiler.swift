import CLitmus
import LabProgram
import LabSyntax

/// Compiles the code of one thread, or of `finally`, into instructions with registers for the runner (`CLitmus`).
///
/// Function calls are inlined, so that no call comes between a store and the next load of the program: the processor
/// executes one right after the other.
struct BodyCompiler {
    let program: Program
    let configuration: Configuration
    let layout: CellLayout
    /// The thread's number in its array.
    let index: Int

    private(set) var code = Code()
    /// By value: the place in the list of constants.
    private var constants = [0: 0]
    /// The number of variables in use: the slots of the current body and of its callers, and the temporaries of the
    /// statements that are being compiled.
    private var used = 0
    /// The number of the variable that is the first slot of the current body: of the thread's, or of an inlined
    /// function's.
    private var firstSlot = 0
    var loops: [Loop] = []
    /// The mutexes that enclosing blocks of the current body unlock at their ends.
    var held: [Cell] = []
    /// The function whose code is being emitted: the register for its result, and the jumps to its end. Nil: it is the
    /// thread's own code.
    private var function: CopiedFunction?

    struct Loop {
        /// The number of mutexes that are held outside the loop.
        var held: Int
        /// The jumps of `break`, to the end of the loop.
        var leaving: [Int] = []
        /// The jumps of `continue`, to the end of the turn.
        var next: [Int] = []
    }

    /// A function that is inlined.
    private struct CopiedFunction {
        var result: Register
        var returns: [Int] = []
    }

    init(_ program: Program, _ configuration: Configuration, _ layout: CellLayout, index: Int) {
        self.program = program
        self.configuration = configuration
        self.layout = layout
        self.index = index
    }

    /// Compiles the whole body.
    ///
    /// - Parameters:
    ///   - body: nil if the program has no `finally`.
    ///   - site: the place of the body, for the error message if it is too long.
    mutating func compile(_ body: Program.Body?, at site: Site) throws(Diagnostic) {
        used = body?.slots.count ?? 0
        code.variables = used
        if let body { try block(body.block) }
        end(CLITMUS_COMPLETED)
        guard code.fits else { throw refuse(.tooLong, at: site) }
    }

    func refuse(_ problem: Unsupported, at site: Site) -> Diagnostic {
        problem.diagnostic(at: site, in: program.source)
    }

    mutating func block(_ block: Program.Block) throws(Diagnostic) {
        for statement in block.statements {
            let before = used
            try self.statement(statement)
            used = before
        }
    }

    // MARK: - Code

    @discardableResult
    mutating func emit(_ instruction: Instruction) -> Int {
        code.instructions.append(instruction)
        return code.instructions.count - 1
    }

    /// Ends the thread's round.
    mutating func end(_ ending: clitmus_ending) { emit(Instruction(opcode: CLITMUS_END, place: Int(ending.rawValue))) }

    /// The position of the next instruction.
    var here: Int { code.instructions.count }

    /// Directs an earlier jump to this place.
    mutating func land(_ jumps: Int...) { land(jumps) }

    mutating func land(_ jumps: [Int]) { for jump in jumps { code.instructions[jump].place = here } }

    /// Emits a jump that must still be directed.
    mutating func jump() -> Int { emit(Instruction(opcode: CLITMUS_JUMP)) }

    // MARK: - Registers

    mutating func constant(_ value: Int) -> Register {
        if let number = constants[value] { return .constant(number) }
        constants[value] = code.constants.count
        code.constants.append(value)
        return .constant(code.constants.count - 1)
    }

    mutating func newVariable() -> Register {
        used += 1
        code.variables = max(code.variables, used)
        return .variable(used - 1)
    }

    func slot(_ number: Int) -> Register { .variable(firstSlot + number) }

    // MARK: - Functions

    /// Inlines a function's code for this call.
    mutating func call(
        _ number: Int, _ values: [Program.Expression], into result: Register, at site: Site
    ) throws(Diagnostic) {
        guard code.fits else { throw refuse(.tooLong, at: site) }
        let body = program.functions[number].body
        let first = used
        for _ in body.slots { _ = newVariable() }
        for (place, value) in values.enumerated() { try evaluate(value, into: .variable(first + place)) }
        let outer = (firstSlot, loops, held, function)
        (firstSlot, loops, held, function) = (first, [], [], CopiedFunction(result: result))
        try block(body.block)
        land(function?.returns ?? [])
        (firstSlot, loops, held, function) = outer
    }

    mutating func leaveBody(_ value: Program.Expression?) throws(Diagnostic) {
        if let value { try evaluate(value, into: function?.result ?? newVariable()) }
        unlock(downTo: 0)
        guard function != nil else { return end(CLITMUS_COMPLETED) }
        let jump = jump()
        function?.returns.append(jump)
    }

    /// Unlocks all held mutexes except the first `count`.
    mutating func unlock(downTo count: Int) {
        for cell in held[count...].reversed() { unlock(cell) }
    }
}
