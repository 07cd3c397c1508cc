extension Recipe {
    /// An operation that is called by name.
    package struct Method: Sendable {
        package let name: String
        /// Whether it returns a Boolean. If not, it returns nothing.
        package let yieldsTruth: Bool
        package let operation: Operation

        init(_ name: String, yieldsTruth: Bool = false, _ statements: [Statement]) {
            self.name = name
            self.yieldsTruth = yieldsTruth
            operation = Operation(statements)
        }
    }
}
