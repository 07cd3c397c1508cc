// The language in which recipes are written: statements, which are compiled to instructions without nesting, over the
// words of an object and a few local variables of the calling thread.

extension Recipe {
    /// An expression.
    package indirect enum Value: Sendable, ExpressibleByIntegerLiteral {
        case constant(Int)
        /// The number that the object was created with.
        case number
        case variable(Variable)
        case sum(Value, Value)
        case difference(Value, Value)

        package init(integerLiteral value: Int) { self = .constant(value) }

        static func word(_ number: Int) -> Self { .variable(.word(number)) }
        static func local(_ number: Int) -> Self { .variable(.local(number)) }

        static func + (a: Self, b: Self) -> Self { .sum(a, b) }
        static func - (a: Self, b: Self) -> Self { .difference(a, b) }
        static func == (a: Self, b: Self) -> Comparison { .equal(a, b) }
        static func < (a: Self, b: Self) -> Comparison { .less(a, b) }

        var variables: [Variable] {
            switch self {
            case .constant, .number: []
            case .variable(let variable): [variable]
            case .sum(let a, let b), .difference(let a, let b): a.variables + b.variables
            }
        }
    }

    /// The target of an assignment.
    package enum Variable: Sendable {
        /// A word of the object, by its number.
        case word(Int)
        /// A local variable of the thread, for the duration of the operation.
        case local(Int)
    }

    package enum Comparison: Sendable {
        case equal(Value, Value)
        case less(Value, Value)

        var variables: [Variable] {
            switch self {
            case .equal(let a, let b), .less(let a, let b): a.variables + b.variables
            }
        }
    }

    /// A statement of an operation.
    indirect enum Statement: Sendable {
        /// Locks or unlocks the object's lock. Words are accessed only in between.
        case lock, unlock
        /// Releases the lock, waits for a broadcast on the condition with this number, and reacquires the lock. May
        /// return without a broadcast, like any wait.
        case wait(Int)
        case broadcast(Int)
        /// Assigns the second value to the first, which must be a variable.
        case set(Value, Value)
        case `if`(Comparison, [Statement])
        case `while`(Comparison, [Statement])
        /// Ends the operation with this value.
        case `return`(Value)
    }

    /// A statement without nested statements, so that the interpreter is a loop over an array. Jump targets are indices
    /// of that array.
    package enum Instruction: Sendable {
        case lock, unlock
        case wait(Int)
        case broadcast(Int)
        case set(Variable, Value)
        case jump(Int)
        case jumpUnless(Comparison, Int)
        /// Ends the operation with this value.
        case finish(Value)
    }

    /// What a thread does when it calls a method, enters a block or leaves it.
    package struct Operation: Sendable {
        /// The last instruction is a `finish`, which returns 0 unless another statement has returned a value before.
        package private(set) var instructions: [Instruction] = []
        /// The number of words that it uses.
        private(set) var wordCount = 0
        /// The number of conditions that it uses.
        private(set) var conditionCount = 0
        /// The number of local variables that it uses.
        package private(set) var localCount = 0

        init(_ statements: [Statement]) {
            append(statements)
            instructions.append(.finish(0))
        }

        private mutating func append(_ statements: [Statement]) { for statement in statements { append(statement) } }

        private mutating func append(_ statement: Statement) {
            switch statement {
            case .lock: instructions.append(.lock)
            case .unlock: instructions.append(.unlock)
            case .wait(let condition):
                conditionCount = max(conditionCount, condition + 1)
                instructions.append(.wait(condition))
            case .broadcast(let condition):
                conditionCount = max(conditionCount, condition + 1)
                instructions.append(.broadcast(condition))
            case .set(let target, let value):
                guard case .variable(let variable) = target else { preconditionFailure("only a variable can be set") }
                note([variable] + value.variables)
                instructions.append(.set(variable, value))
            case .if(let comparison, let statements):
                let test = appendTest(comparison)
                append(statements)
                instructions[test] = .jumpUnless(comparison, instructions.count)
            case .while(let comparison, let statements):
                let test = appendTest(comparison)
                append(statements)
                instructions.append(.jump(test))
                instructions[test] = .jumpUnless(comparison, instructions.count)
            case .return(let value):
                note(value.variables)
                instructions.append(.finish(value))
            }
        }

        /// Appends a test whose target is not known yet. Returns its index.
        private mutating func appendTest(_ comparison: Comparison) -> Int {
            note(comparison.variables)
            instructions.append(.jumpUnless(comparison, 0))
            return instructions.count - 1
        }

        /// Counts the words and local variables up to these.
        private mutating func note(_ variables: [Variable]) {
            for variable in variables {
                switch variable {
                case .word(let number): wordCount = max(wordCount, number + 1)
                case .local(let number): localCount = max(localCount, number + 1)
                }
            }
        }
    }
}
