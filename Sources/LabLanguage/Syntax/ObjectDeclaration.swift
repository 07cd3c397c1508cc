extension Syntax {
    /// `mutex a, b`; `atomic flag[2] = false, turn = 0`; `condition changed with m`
    struct ObjectDeclaration {
        enum Kind {
            case shared, atomic
            case mutex(Program.Object.MutexKind)
            case readWriteLock(writersFirst: Bool)
            case semaphore, condition, barrier, once
        }

        var kind: Kind
        var declarators: [Declarator]
    }

    struct Declarator {
        var name: Name
        /// In square brackets.
        var count: Expression?
        var type: TypeName?
        /// In round brackets: a barrier's number of threads.
        var parties: Expression?
        var value: Expression?
        /// A condition's mutex.
        var mutex: Expression?
    }
}
