extension Recipe {
    /// What a thread does when it calls a method, enters a block or leaves it.
    package struct Operation: Sendable {
        /// The last one is a `finish`, which returns 0 unless another statement returned a value.
        package private(set) var instructions: [Instruction] = []
        /// The number of words, conditions and local variables it uses.
        private(set) var wordCount = 0
        private(set) var conditionCount = 0
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

        private mutating func appendTest(_ comparison: Comparison) -> Int {
            note(comparison.variables)
            instructions.append(.jumpUnless(comparison, 0))
            return instructions.count - 1
        }

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
