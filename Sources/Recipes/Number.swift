extension Recipe {
    /// The number that an object is created with.
    package struct Number: Sendable {
        /// For messages: "number of threads".
        package let name: String
        package let least: Int
        /// Whether it is a number of threads, which is limited in a program.
        package let isOfThreads: Bool

        init(_ name: String, least: Int, isOfThreads: Bool = false) {
            self.name = name
            self.least = least
            self.isOfThreads = isOfThreads
        }
    }
}
