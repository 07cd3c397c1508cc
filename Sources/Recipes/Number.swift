extension Recipe {
    /// The number that an object is made with.
    package struct Number: Sendable {
        /// For messages: "number of threads".
        package let name: String
        package let least: Int
        /// Whether it counts threads, of which a program has a limited number.
        package let isOfThreads: Bool

        init(_ name: String, least: Int, isOfThreads: Bool = false) {
            self.name = name
            self.least = least
            self.isOfThreads = isOfThreads
        }
    }
}
