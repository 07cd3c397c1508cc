import Recipes

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
    }

    package struct Declarator {
        package var name: Name
        /// The number in square brackets.
        package var count: Expression?
        package var type: TypeName?
        /// The number in parentheses: a barrier's number of threads.
        package var number: Expression?
        package var value: Expression?
        /// A condition's mutex.
        package var mutex: Expression?
    }
}
