import LabSyntax

extension Program {
    /// A declared thread, or an array of them.
    package struct Thread: Sendable {
        package var name: String
        /// The number of elements, a constant. Nil: a single thread.
        package var count: Expression?
        package var body: Body
        /// Whether it exists when the program starts. If not, some `spawn` names it.
        package var startsByItself: Bool
        /// Whether the main thread joins it before `finally`: it starts by itself, and no `join` or `detach` names it.
        package var isJoinedByMain: Bool
        package var site: Site
    }
}
