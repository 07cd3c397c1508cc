import Machine

/// The variables of a program that only count: they grow, and the behavior of threads does not depend on them. A search
/// for executions without end treats states that differ only in counters as equal. Otherwise a variable that counts the
/// rounds of a loop would hide a livelock, because no state would occur twice.
///
/// They are found by the flow of values through the bytecode (`ValueFlow`). Except in a main thread that only looks at
/// the end (`mainOnlyLooks`), no condition, index, limit or awaited value depends on them, no argument of a step that can
/// block or choose, no text, and no claim about every state. So threads would behave in the same way without them.
/// Overflow ends a run, but only after more than 2³⁰ further rounds.
struct Counters {
    /// By object number: whether the object is a counter.
    private(set) var areObjects: [Bool] = []
    /// The numbers of the objects that are counters.
    private(set) var objects: [Int] = []
    private(set) var isEmpty = true
    /// By the instruction with which a thread or a caller continues: the slots of its frame that are counters, as bits.
    private var slots: [UInt64] = []
    /// By that instruction: the values on the stack that come from counters, as bits.
    private var values: [UInt64] = []
    /// By instruction: the number of slots of its body.
    private var slotCounts: [Int] = []
    /// By instruction: whether its body is that of a function.
    private var isFunction: [Bool] = []

    static let none = Counters()

    private init() {}

    init(_ bytecode: Bytecode) {
        guard bytecode.hasUncountedLoops, let flow = ValueFlow(bytecode) else { return }
        let counters = flow.counters
        if counters.isEmpty { return }
        isEmpty = false
        let objects = (1..<bytecode.objects.count + 1).filter { counters.contains(.object($0)) }
        self.objects = objects
        areObjects = (0..<bytecode.objects.count + 1).map(objects.contains)
        slots = Array(repeating: 0, count: bytecode.codeCount + 1)
        values = slots
        slotCounts = Array(repeating: 0, count: bytecode.codeCount + 1)
        isFunction = Array(repeating: false, count: bytecode.codeCount + 1)
        for body in 0..<bytecode.program.functions.count + 1 + bytecode.program.threads.count {
            let count = bytecode.bodies[body].slots
            let own = (0..<min(count, UInt64.bitWidth)).reduce(UInt64(0)) {
                counters.contains(.slot(body, $1)) ? $0 | 1 << UInt64($1) : $0
            }
            for place in bytecode.codeRange(of: body) {
                slots[place] = own
                slotCounts[place] = count
                isFunction[place] = body < bytecode.program.functions.count
            }
        }
        for (place, stack) in flow.stacksBehind {
            for (index, value) in stack.prefix(UInt64.bitWidth).enumerated()
            where !value.sources.isDisjoint(with: counters) {
                values[place] |= 1 << UInt64(index)
            }
        }
    }

    /// Visits the frames of a thread from the innermost outwards, each in three parts: its slots, in a function the
    /// links to the caller, and its stack.
    ///
    /// - Parameters:
    ///   - thread: must not have ended, and must be at rest before a step.
    ///   - visit: receives the words of the part, and a bit for each of its first 64 words: whether it is a counter.
    @inline(__always)
    func forEachFrame(
        of thread: UnsafeMutablePointer<Int>, _ visit: (_ words: Range<Int>, _ counters: UInt64) -> Void
    ) {
        var next = thread[ThreadWords.programCounter]
        var frame = thread[ThreadWords.frame]
        var end = thread[ThreadWords.stack]
        while true {
            let count = slotCounts[next]
            let links = isFunction[next] ? CompiledBody.linkWords : 0
            visit(frame..<frame + count, slots[next])
            visit(frame + count..<frame + count + links, 0)
            visit(frame + count + links..<end, values[next])
            if links == 0 { return }
            end = frame
            next = thread[frame + count]
            frame = thread[frame + count + 1]
        }
    }

    /// Sets all counters in a thread's words to zero.
    func clear(_ thread: UnsafeMutablePointer<Int>) {
        forEachFrame(of: thread) { words, counters in
            var left = words.count < UInt64.bitWidth ? counters & ((1 << UInt64(words.count)) - 1) : counters
            while left != 0 {
                thread[words.lowerBound + left.trailingZeroBitCount] = 0
                left &= left - 1
            }
        }
    }
}

/// How values flow from variable to variable in a program (abstract interpretation): all paths through the code are
/// followed, with sets of variables in place of values, until nothing new is found. The result does not depend on the
/// order of the paths.
struct ValueFlow {
    /// A place that holds a value.
    enum Variable: Hashable {
        case object(Int)
        /// A slot of a body.
        case slot(Int, Int)
        /// The result of a function.
        case result(Int)
    }

    /// The known properties of a value on a stack.
    struct Value: Equatable {
        /// The variables from which it is computed.
        var sources: Set<Variable> = []
        /// Those of them to whose value something has been added or subtracted.
        var grown: Set<Variable> = []
        /// Whether it is certainly between −2³¹ and 2³¹.
        var isSmall = true
        /// Whether its magnitude may be 2⁶² or more, not counting what additions of small values do to it.
        var isHuge = false

        /// The magnitude below which a value is small, and the one from which on it is huge.
        static let smallEnd = 1 << 31
        static let hugeStart = 1 << 62

        static let small = Value()
        static let any = Value(isSmall: false, isHuge: true)

        /// What is known of a value that is one or the other, or computed from both.
        func joined(with other: Value) -> Value {
            Value(
                sources: sources.union(other.sources), grown: grown.union(other.grown),
                isSmall: isSmall && other.isSmall, isHuge: isHuge || other.isHuge)
        }
    }

    /// A flow of a value from one variable to another.
    private struct Edge: Hashable {
        let from: Variable
        let to: Variable
    }

    private let bytecode: Bytecode
    /// The variables on which the behavior of threads depends directly.
    private var deciding: Set<Variable> = []
    private var edges: Set<Edge> = []
    /// The edges on which something is added.
    private var growing: Set<Edge> = []
    /// The variables that may have held a value that is not small, and those that may have held a huge value.
    private var large: Set<Variable> = []
    private var huge: Set<Variable> = []
    /// By instruction, the stack before it.
    private var stacks: [Int: [Value]] = [:]
    /// By the instruction behind an operation or a call: the stack while the operation or call is not complete.
    private(set) var stacksBehind: [Int: [Value]] = [:]
    /// Whether the code has the form that is expected: at each instruction, all paths have equally many values on the
    /// stack.
    private var isConsistent = true
    /// Whether nothing that the main thread reads affects other threads: its code has no loop, and writes nothing.
    private let mainOnlyLooks: Bool
    private let mainCode: Range<Int>

    /// Nil: the code has an unknown form, so any variable may affect the behavior.
    init?(_ bytecode: Bytecode) {
        self.bytecode = bytecode
        mainCode = bytecode.codeRange(of: bytecode.mainBody)
        mainOnlyLooks = mainCode.allSatisfy { place in
            let instruction = bytecode.code[place]
            if bytecode.successors(of: place).contains(where: { $0 <= place }) { return false }
            switch instruction.opcode {
            case .call, .record, .setWord, .setWordAt, .listAppend, .listSet, .listRemoveFirst,
                .listRemoveLast, .listRemoveAll:
                return false
            case .spawn: return instruction.b == 1
            case .operate: return bytecode.forms[Int(instruction.b)].kind.onlyLooksAtTheEnd
            default: return true
            }
        }
        for (index, object) in bytecode.objects.enumerated() {
            let number = index + 1
            let isWord = object.kind == .atomic || object.kind == .cell
            if !isWord || bytecode.isObserved[number] || bytecode.listStart[number] != nil {
                deciding.insert(.object(number))
            }
            let size = abs(object.value.clamped)
            note(Value(isSmall: size < Value.smallEnd, isHuge: size >= Value.hugeStart), in: .object(number))
        }
        var before = (-1, -1, -1)
        while isConsistent && before != (large.count, huge.count, edges.count) {
            before = (large.count, huge.count, edges.count)
            stacks = [:]
            stacksBehind = [:]
            followAll()
        }
        if !isConsistent { return nil }
    }

    /// The variables that grow in a cycle of edges, and those to which their values flow, unless the behavior depends
    /// on them.
    var counters: Set<Variable> {
        var deciding = self.deciding
        var changes = true
        while changes {
            changes = false
            for edge in edges where deciding.contains(edge.to) && !deciding.contains(edge.from) {
                deciding.insert(edge.from)
                changes = true
            }
        }
        var counters: Set<Variable> = []
        for edge in growing where !deciding.contains(edge.to) && !deciding.contains(edge.from) {
            if edge.from == edge.to || reaches(edge.from, from: edge.to) { counters.insert(edge.to) }
        }
        changes = true
        while changes {
            changes = false
            for edge in edges
            where counters.contains(edge.from) && !deciding.contains(edge.to) && !counters.contains(edge.to) {
                counters.insert(edge.to)
                changes = true
            }
        }
        return counters
    }

    /// Whether a path of edges leads from `start` to `target`.
    private func reaches(_ target: Variable, from start: Variable) -> Bool {
        var seen: Set<Variable> = [start]
        var open = [start]
        while let next = open.popLast() {
            if next == target { return true }
            for edge in edges where edge.from == next && seen.insert(edge.to).inserted { open.append(edge.to) }
        }
        return false
    }

    // MARK: - Paths

    private mutating func followAll() {
        let bodies = 0..<bytecode.program.functions.count + 1 + bytecode.program.threads.count
        for body in bodies {
            var open: Set<Int> = []
            enter(bytecode.bodies[body].entry, [], &open)
            while isConsistent, let place = open.popFirst() { follow(place, body, &open) }
        }
    }

    /// Notes that the instruction may be reached with this stack, and opens it if that is new.
    private mutating func enter(_ place: Int, _ stack: [Value], _ open: inout Set<Int>) {
        guard let known = stacks[place] else {
            stacks[place] = stack
            open.insert(place)
            return
        }
        guard known.count == stack.count else {
            isConsistent = false
            return
        }
        let joined = zip(known, stack).map { $0.joined(with: $1) }
        if joined != known {
            stacks[place] = joined
            open.insert(place)
        }
    }

    private func value(of variable: Variable) -> Value {
        Value(
            sources: [variable], grown: [], isSmall: !large.contains(variable), isHuge: huge.contains(variable))
    }

    /// Notes that the variable may receive the value.
    private mutating func note(_ value: Value, in variable: Variable) {
        for source in value.sources { edges.insert(Edge(from: source, to: variable)) }
        for source in value.grown { growing.insert(Edge(from: source, to: variable)) }
        if !value.isSmall { large.insert(variable) }
        if value.isHuge { huge.insert(variable) }
    }

    /// Notes that the behavior depends on the value, unless only the end of the main thread does (`mainOnlyLooks`).
    private mutating func decide(_ value: Value, at place: Int) {
        if mainOnlyLooks && mainCode.contains(place) { return }
        deciding.formUnion(value.sources)
    }

    /// The sum or difference. If it may overflow before long, the behavior depends on it.
    private mutating func sum(_ a: Value, _ b: Value, at place: Int) -> Value {
        var sum = a.joined(with: b)
        if a.isHuge || b.isHuge || !a.isSmall && !b.isSmall {
            decide(sum, at: place)
            sum.isHuge = true
        }
        sum.isSmall = false
        sum.grown = sum.sources
        return sum
    }

    /// Applies the instruction to the stack before it, and passes the result on to the instructions after it.
    private mutating func follow(_ place: Int, _ body: Int, _ open: inout Set<Int>) {
        let instruction = bytecode.code[place]
        let (a, b) = (Int(instruction.a), Int(instruction.b))
        var stack = stacks[place]!
        func pop() -> Value {
            if let value = stack.popLast() { return value }
            isConsistent = false
            return .any
        }
        switch instruction.opcode {
        case .push, .index: stack.append(.small)
        case .constant:
            let value = bytecode.constants[a]
            stack.append(Value(isSmall: false, isHuge: abs(value.clamped) >= Value.hugeStart))
        case .get: stack.append(value(of: .slot(body, a)))
        case .set: note(pop(), in: .slot(body, a))
        case .clear, .beginAwait, .awaitAgain, .observe, .progress, .review, .end, .jump, .jumpBack, .listRemoveAll:
            break
        case .pop: _ = pop()
        case .negate, .absolute, .invert, .addConstant:
            var value = pop()
            if instruction.opcode == .addConstant { value = sum(value, .small, at: place) }
            stack.append(value)
        case .not:
            var value = pop()
            value.isSmall = true
            value.isHuge = false
            stack.append(value)
        case .add, .subtract:
            let second = pop()
            stack.append(sum(pop(), second, at: place))
        case .multiply, .divide, .remainder, .shiftLeft, .shiftRight:
            let value = pop().joined(with: pop())
            decide(value, at: place)
            stack.append(Value(sources: value.sources, isSmall: false, isHuge: true))
        case .bitAnd, .bitOr, .bitXor, .least, .greatest:
            let second = pop()
            stack.append(pop().joined(with: second))
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            let second = pop()
            var value = pop().joined(with: second)
            value.isSmall = true
            value.isHuge = false
            stack.append(value)
        case .increment: note(sum(value(of: .slot(body, a)), .small, at: place), in: .slot(body, a))
        case .element:
            decide(pop(), at: place)
            stack.append(.small)
        case .jumpIfFalse, .jumpIfTrue: decide(pop(), at: place)
        case .jumpKeepingFalse, .jumpKeepingTrue:
            let value = pop()
            decide(value, at: place)
            enter(a, stack + [.small], &open)
            enter(place + 1, stack, &open)
            return
        case .jumpUnlessEqual, .jumpUnlessNotEqual, .jumpUnlessLess, .jumpUnlessLessOrEqual, .jumpUnlessGreater,
            .jumpUnlessGreaterOrEqual:
            decide(pop(), at: place)
            decide(pop(), at: place)
        case .countDown: decide(value(of: .slot(body, b)), at: place)
        case .call:
            for parameter in (0..<bytecode.bodies[a].parameters).reversed() { note(pop(), in: .slot(a, parameter)) }
            keep(stack, behind: place)
            if returnsValue(a) { stack.append(value(of: .result(a))) }
            enter(place + 1, stack, &open)
            return
        case .return:
            if b != 0 { note(pop(), in: .result(body)) }
        case .operate: operate(instruction, place, &stack)
        case .compared:
            decide(pop(), at: place)
            stack.append(.small)
        case .added: break
        case .spawn: decide(pop(), at: place)
        case .choices: if let value = stack.last { decide(value, at: place) }
        case .listAppend, .record, .setWord: decide(pop(), at: place)
        case .listRemoveFirst, .listRemoveLast, .listCount, .word: stack.append(.any)
        case .listGet, .wordAt:
            decide(pop(), at: place)
            stack.append(.any)
        case .listSet, .setWordAt:
            decide(pop(), at: place)
            decide(pop(), at: place)
        case .listEquals, .note, .fail:
            for _ in 0..<b { decide(pop(), at: place) }
            if instruction.opcode == .listEquals { stack.append(.small) }
        }
        for next in bytecode.successors(of: place) { enter(next, stack, &open) }
    }

    private func returnsValue(_ function: Int) -> Bool {
        bytecode.codeRange(of: function).contains { bytecode.code[$0].opcode == .return && bytecode.code[$0].b != 0 }
    }

    /// Notes the stack while the operation or call at this place is not complete.
    private mutating func keep(_ stack: [Value], behind place: Int) {
        guard let known = stacksBehind[place + 1] else {
            stacksBehind[place + 1] = stack
            return
        }
        if known.count != stack.count { isConsistent = false }
        stacksBehind[place + 1] = zip(known, stack).map { $0.joined(with: $1) }
    }

    // MARK: - Operations

    private mutating func operate(_ instruction: Instruction, _ place: Int, _ stack: inout [Value]) {
        let form = bytecode.forms[Int(instruction.b)]
        let count =
            switch form.arguments {
            case .none: 0
            case .value, .timeout, .sleep: 1
            case .twoValues: 2
            }
        guard stack.count >= count + (form.hasObjectOnStack ? 1 : 0) else {
            isConsistent = false
            return
        }
        let arguments = stack.suffix(count)
        stack.removeLast(count + (form.hasObjectOnStack ? 1 : 0))
        let objects =
            form.hasObjectOnStack ? Array(form.elements.numbers) : instruction.a == 0 ? [] : [Int(instruction.a)]
        keep(stack, behind: place)
        var result = Value.any
        switch form.kind {
        case .load, .read, .store, .write, .exchange, .add, .bitAnd, .bitOr, .bitXor:
            result = Value(isSmall: true)
            for object in objects {
                let old = value(of: .object(object))
                result = result.joined(with: old)
                guard let argument = arguments.first else { continue }
                switch form.kind {
                case .add: note(sum(old, argument, at: place), in: .object(object))
                case .bitAnd, .bitOr, .bitXor: note(old.joined(with: argument), in: .object(object))
                default: note(argument, in: .object(object))
                }
            }
            if form.isWatching || form.awaited != nil {
                decide(result, at: place)
                for argument in arguments { decide(argument, at: place) }
            }
        default:
            for argument in arguments { decide(argument, at: place) }
            // The state of the object decides whether the step is possible, and its result.
            for object in objects { decide(value(of: .object(object)), at: place) }
            result = form.kind == .choose ? .small : .any
        }
        if form.hasResult { stack.append(result) }
    }
}

extension Operation.Kind {
    /// Whether the main thread may take the operation at the end without a change for other threads.
    fileprivate var onlyLooksAtTheEnd: Bool {
        switch self {
        case .start, .exit, .inspect, .join, .load, .read, .semaphoreValue, .yield: true
        default: false
        }
    }
}

extension Int {
    /// The value, except that the smallest number is raised by one, so that `abs` cannot overflow.
    fileprivate var clamped: Int { Swift.max(self, -.max) }
}
