import Recipes

// Declarations in the syntax tree. `isGiven` says that the word `given` precedes a declaration: in a task, a program
// that a learner is to change, it has to stay as it is.

extension Syntax {
    /// `mutex a, b`; `atomic flag[2] = false, turn = 0`; `condition changed with m`
    package struct ObjectDeclaration {
        package enum Kind {
            case shared, atomic
            case mutex(MutexKind)
            case readWriteLock(writersFirst: Bool)
            case semaphore, condition
            case built(Recipe)
        }

        package var kind: Kind
        package var declarators: [Declarator]
        package var isGiven = false
    }

    /// One object of a declaration: `flag[2] = false`
    package struct Declarator {
        package var name: Name
        /// The number of elements, in square brackets. Nil: the object is not an array.
        package var count: Expression?
        package var type: TypeName?
        /// The number in parentheses, such as a barrier's number of threads.
        package var number: Expression?
        /// The initial value.
        package var value: Expression?
        /// A condition's mutex.
        package var mutex: Expression?
    }
}

/// What a mutex does when its owner locks it again.
package enum MutexKind: Sendable { case normal, checking, recursive }

/// The word for the memory model of an expectation.
package enum ModelWord: String, CaseIterable, Sendable {
    case sc, tso, rc11
    /// Older words for `sc` and `rc11`.
    case seqcst, weak

    /// Whether both words name the same model.
    func isSame(as other: ModelWord) -> Bool { current == other.current }

    /// The model's current word.
    private var current: ModelWord {
        switch self {
        case .sc, .seqcst: .sc
        case .tso: .tso
        case .rc11, .weak: .rc11
        }
    }
}

extension Syntax {
    /// `parameter capacity = 1 in 1...8`
    package struct ParameterDeclaration {
        package var name: Name
        package var type: TypeName?
        package var value: Expression
        package var range: Bounds?
        /// The `///` comment before it.
        package var help: [String]
    }

    /// `1...8`, `0..<n`
    package struct Bounds {
        package var lower: Expression
        package var upper: Expression
        package var isClosed: Bool
    }

    /// `Int`, `[Bool]`
    package struct TypeName {
        package var type: ValueType
        package var isList: Bool
        package var span: Span
    }

    /// `func take(amount: Int) -> Bool { … }`
    package struct FunctionDeclaration {
        package struct Parameter {
            package var name: Name
            /// Nil: `Int`.
            package var type: TypeName?
        }

        package var name: Name
        package var parameters: [Parameter]
        package var result: TypeName?
        package var body: Block
        package var isGiven = false
    }

    /// `thread worker[3] { … }`
    package struct ThreadDeclaration {
        package var name: Name
        package var count: Expression?
        package var body: Block
        package var isGiven = false
    }

    /// `run producer-consumer(capacity: 1, variant: conditions)`; `run "./bank"(arguments: "-n 2")`
    package struct RunDeclaration {
        package enum Target {
            case scenario(Name)
            /// The path of a compiled program.
            case program(String, Span)

            package var span: Span {
                switch self {
                case .scenario(let name): name.span
                case .program(_, let span): span
                }
            }
        }

        package struct Argument {
            package enum Value {
                case word(String)
                case text(String)
                case expression(Expression)
            }

            package var name: Name
            package var value: Value
            package var valueSpan: Span
        }

        /// What is run.
        package var target: Target
        package var arguments: [Argument]
    }

    /// `invariant inside <= 1`; `expect race, assertion`; `expect under rc11 sometimes r0 == 0`;
    /// `expect broken always x == 1`
    package struct ExpectDeclaration {
        package enum Kind {
            case completes
            /// The ways in which a run may end, such as `race`, as written. `LabProgram` interprets the words.
            case findings([Name])
            /// Warnings that some runs must show, such as `contention`, as written. `LabProgram` interprets the words.
            case warnings([Name])
            case always(Expression)
            case never(Expression)
            case sometimes(Expression)
            case possible(Expression)
            case eventually(Expression)
            case invariant(Expression)
            case outcomes([Expression])
            case linearizable
        }

        package var kind: Kind
        /// Whether the word `broken` is in it: the claim is meant to fail in some run.
        package var isBroken = false
        /// The memory model after `under`. Nil: none is named.
        package var model: ModelWord?
        /// The text after the word `expect` or `invariant`.
        package var span: Span
    }
}
