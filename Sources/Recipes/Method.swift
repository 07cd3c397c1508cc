extension Recipe {
    /// An operation that is called by its name.
    package struct Method: Sendable {
        package let name: String
        /// Whether it yields a truth value. If not, it yields nothing.
        package let yieldsTruth: Bool
        package let operation: Operation

        init(_ name: String, yieldsTruth: Bool = false, _ statements: [Statement]) {
            self.name = name
            self.yieldsTruth = yieldsTruth
            operation = Operation(statements)
        }
    }
}
