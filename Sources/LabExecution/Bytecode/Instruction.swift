import LabSyntax

/// One instruction of the bytecode.
struct Instruction {
    var opcode: Opcode
    /// The line of the file from which it was compiled.
    var line: UInt16
    var a: Int32
    var b: Int32

    init(_ opcode: Opcode, _ a: Int = 0, _ b: Int = 0, line: Int) {
        self.opcode = opcode
        self.line = UInt16(clamping: line)
        self.a = Int32(a)
        self.b = Int32(b)
    }
}

/// What an instruction does. Values are on the thread's evaluation stack, and `a` and `b` are the instruction's
/// arguments.
enum Opcode: UInt8 {
    // Values
    /// Pushes `a`.
    case push
    /// Pushes constant number `a`.
    case constant
    /// Pushes slot `a`, or pops into it.
    case get, set
    /// Sets `b` slots from `a` on, which are no longer in use, to zero.
    case clear
    /// Pushes the thread's number in its array.
    case index
    case pop
    case negate, invert, not, absolute
    /// Applies the operator of the same name to the two values on top.
    case add, subtract, multiply, divide, remainder, bitAnd, bitOr, bitXor, shiftLeft, shiftRight
    case least, greatest
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// Adds `a` to the value on top.
    case addConstant
    /// Adds one to slot `a`.
    case increment
    /// Replaces an index by the number of the element of an array with `b` elements, of which `a` is the first.
    case element

    // Jumps
    /// Jumps back to `a`, and notes that the thread has begun another round of a loop without a counter.
    case jumpBack
    /// Jumps to `a`: always, or if the value that it pops is false or true.
    case jump, jumpIfFalse, jumpIfTrue
    /// Compares the two values on top, and jumps to `a` if the comparison does not hold.
    case jumpUnlessEqual, jumpUnlessNotEqual
    case jumpUnlessLess, jumpUnlessLessOrEqual, jumpUnlessGreater, jumpUnlessGreaterOrEqual
    /// Subtracts one from slot `b`, and jumps to `a` if it is still positive.
    case countDown
    /// If the value on top is false (or true), jumps to `a` and keeps it; otherwise pops it. For `&&` and `||`.
    case jumpKeepingFalse, jumpKeepingTrue
    /// Calls function `a`, whose arguments are on the stack.
    case call
    /// Returns from a function, which has `a` slots. If `b` is 1, the value on top is its result.
    case `return`
    /// Ends the thread, or the evaluation of a claim.
    case end

    // Visible operations
    /// The next step: an operation on object `a`, in form number `b`.
    case operate
    /// After a compare-exchange: replaces its result, the old value, by whether it stored.
    case compared
    /// After an atomic addition, whose result is the old value: fails if the sum has overflowed.
    case added
    /// Starts the thread whose number is on top. If `b` is 1, this is part of the program's start.
    case spawn
    /// Checks that the number on top can be the number of alternatives of a `choose`.
    case choices
    /// An `await` begins: its condition is evaluated next.
    case beginAwait
    /// The condition of an `await` is false. When a value that it read changes, the code from `a` on evaluates it
    /// again.
    case awaitAgain

    // Accesses of lists, right after the operation that makes the access a step. `a` is the start of the list's words.
    case listAppend, listRemoveFirst, listRemoveLast, listRemoveAll, listCount, listGet, listSet
    /// Whether the list's values are the `b` values on top.
    case listEquals

    // Words of built objects, which the object's lock protects
    /// Pushes shared word `a`, or pops into it.
    case word, setWord
    /// Pops a number, and then pushes, or pops into, the shared word at position `a` plus that number.
    case wordAt, setWordAt

    /// Pops a value, and appends it to the log of the thread's calls. `a` is the start of the log of the first thread
    /// in its array.
    case record

    /// Memory that claims read may have changed: checks the claims about every state.
    case observe
    /// Notes a `progress` of the thread.
    case progress
    /// Shows text number `a`, with the `b` values on top: in a note, or as the reason of a failed assertion.
    case note, fail
    /// The main thread is done: checks the claims about the end.
    case review
}

extension Opcode {
    /// What analyses of the code, which do not run it, need to know of an instruction.
    struct Row {
        /// Where a thread may continue: at the next instruction, at `a`, at either, in function `a`, or nowhere.
        enum Flow { case next, jump, branch, call, end }
        /// What the instruction does to slots of the frame. `read` includes a slot that is read and changed.
        enum Slots { case unused, read, set, clear, countDown }
        /// What other threads may notice.
        enum Outside { case nothing, operation, spawn, endOfThread, review }

        var flow = Flow.next
        var slots = Slots.unused
        var outside = Outside.nothing
        var readsIndex = false
    }

    var row: Row {
        switch self {
        case .get, .increment: Row(slots: .read)
        case .set: Row(slots: .set)
        case .clear: Row(slots: .clear)
        case .index: Row(readsIndex: true)
        case .jump, .jumpBack, .awaitAgain: Row(flow: .jump)
        case .jumpIfFalse, .jumpIfTrue, .jumpKeepingFalse, .jumpKeepingTrue, .jumpUnlessEqual, .jumpUnlessNotEqual,
            .jumpUnlessLess, .jumpUnlessLessOrEqual, .jumpUnlessGreater, .jumpUnlessGreaterOrEqual:
            Row(flow: .branch)
        case .countDown: Row(flow: .branch, slots: .countDown)
        case .call: Row(flow: .call)
        case .return, .fail: Row(flow: .end)
        case .end: Row(flow: .end, outside: .endOfThread)
        case .operate: Row(outside: .operation)
        case .spawn: Row(outside: .spawn)
        case .review: Row(outside: .review)
        case .push, .constant, .pop, .negate, .invert, .not, .absolute, .add, .subtract, .multiply, .divide, .remainder,
            .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight, .least, .greatest, .equal, .notEqual, .less,
            .lessOrEqual,
            .greater, .greaterOrEqual, .addConstant, .element, .compared, .added, .choices, .beginAwait, .listAppend,
            .listRemoveFirst, .listRemoveLast, .listRemoveAll, .listCount, .listGet, .listSet, .listEquals, .word,
            .setWord, .wordAt, .setWordAt, .record, .observe, .progress, .note:
            Row()
        }
    }

    init(_ sign: Operator) {
        switch sign {
        case .add: self = .add
        case .subtract: self = .subtract
        case .multiply: self = .multiply
        case .divide: self = .divide
        case .remainder: self = .remainder
        case .bitAnd: self = .bitAnd
        case .bitOr: self = .bitOr
        case .bitXor: self = .bitXor
        case .shiftLeft: self = .shiftLeft
        case .shiftRight: self = .shiftRight
        case .equal: self = .equal
        case .notEqual: self = .notEqual
        case .less: self = .less
        case .lessOrEqual: self = .lessOrEqual
        case .greater: self = .greater
        case .greaterOrEqual: self = .greaterOrEqual
        case .least: self = .least
        case .greatest: self = .greatest
        }
    }

    /// The operator that the instruction applies, for messages. Nil: it applies none.
    var sign: Operator? {
        switch self {
        case .add, .added, .addConstant, .increment: .add
        case .subtract, .negate, .absolute: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .remainder: .remainder
        case .bitAnd: .bitAnd
        case .bitOr: .bitOr
        case .bitXor: .bitXor
        case .shiftLeft: .shiftLeft
        case .shiftRight: .shiftRight
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .least: .least
        case .greatest: .greatest
        default: nil
        }
    }

    /// The jump that is taken if this comparison is false. Nil: it is not a comparison.
    var jumpUnless: Opcode? {
        switch self {
        case .equal: .jumpUnlessEqual
        case .notEqual: .jumpUnlessNotEqual
        case .less: .jumpUnlessLess
        case .lessOrEqual: .jumpUnlessLessOrEqual
        case .greater: .jumpUnlessGreater
        case .greaterOrEqual: .jumpUnlessGreaterOrEqual
        default: nil
        }
    }
}
