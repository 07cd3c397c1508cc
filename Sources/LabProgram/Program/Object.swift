import LabSyntax
import Recipes

extension Program {
    /// A cell, a lock and so on that threads share, or an array of them.
    package struct Object: Sendable {
        package enum Kind: Equatable, Sendable {
            /// Plain memory: a race unless something orders its accesses.
            case cell(ValueType)
            case atomic(ValueType)
            /// Plain memory too: one cell, whatever its length. Each access is one read, each change one write.
            case list(of: ValueType)
            case mutex(MutexKind)
            case readWriteLock(writersFirst: Bool)
            case semaphore
            case condition
            case built(Recipe)
        }

        package var name: String
        package var kind: Kind
        /// The number of elements, a constant. Nil: a single object, which takes no subscript.
        package var count: Expression?
        /// Constants: the initial value of a cell, an atomic or a semaphore, or one for each element; the initial
        /// values of a list; the number of a built object. Empty for the others.
        package var initial: [Expression] = []
        /// A condition's mutex. Its subscript, if any, is a constant.
        package var mutex: Place?
        package var site: Site
    }
}
