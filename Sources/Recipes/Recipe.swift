import Text

/// The meaning of an object that is built from a lock and conditions, such as a barrier, as data: its declaration, and
/// for each operation a few statements over the lock, the conditions and some words, which are accessed only while the
/// lock is held.
///
/// It is written once and used twice: `Primitives` interprets it with base operations of either runtime, and the `.lab`
/// compiler turns it into instructions. Neither has special code for any of these objects, so the two languages cannot
/// disagree.
package final class Recipe: Sendable {
    /// The word that declares such an object in a `.lab` file. Messages and names in traces use it too.
    package let word: String
    /// The number that a declaration gives in parentheses. Nil: the object takes none.
    package let number: Number?
    package let methods: [Method]
    /// The operations around the block of a statement such as `once o { … }`. Nil: the object has no block.
    package let block: Block?

    /// The number of words in an object: variables that hold integers. All are initially 0.
    package let wordCount: Int
    package let conditionCount: Int
    /// The maximum number of local variables of an operation.
    package let localCount: Int

    /// The maximum number of local variables that an operation of any recipe may have. It is fixed, so that
    /// interpreting a recipe allocates no memory.
    package static let mostLocals = 2

    init(_ word: String, number: Number? = nil, methods: [Method] = [], block: Block? = nil) {
        self.word = word
        self.number = number
        self.methods = methods
        self.block = block
        let operations = methods.map(\.operation) + (block.map { [$0.enter, $0.leave, $0.abandon] } ?? [])
        wordCount = operations.map(\.wordCount).max() ?? 0
        conditionCount = operations.map(\.conditionCount).max() ?? 0
        localCount = operations.map(\.localCount).max() ?? 0
        precondition(localCount <= Self.mostLocals, "an operation of '\(word)' has too many local variables")
    }

    /// For example "a barrier".
    package var noun: String { "a \(word)" }

    /// The method with this name, which must exist.
    package func method(_ name: String) -> Method {
        guard let method = methods.first(where: { $0.name == name }) else {
            preconditionFailure("'\(word)' has no method '\(name)'")
        }
        return method
    }

    package static func named(_ word: String) -> Recipe? { all.first { $0.word == word } }
}

extension Recipe: Equatable {
    package static func == (a: Recipe, b: Recipe) -> Bool { a === b }
}

extension Recipe {
    /// The number that an object is created with.
    package struct Number: Sendable {
        /// For messages: "number of threads".
        package let name: String
        package let least: Int
        /// Whether it is a number of threads. A program has a limit of those.
        package let isOfThreads: Bool

        init(_ name: String, least: Int, isOfThreads: Bool = false) {
            self.name = name
            self.least = least
            self.isOfThreads = isOfThreads
        }
    }

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

    /// The operations around a block of the program's own code.
    package struct Block: Sendable {
        /// Comes first. It returns whether the thread runs the block. If not, neither `leave` nor `abandon` follows.
        package let enter: Operation
        /// Follows the block, unless an error left it.
        package let leave: Operation
        /// Replaces `leave` if an error left the block. In a `.lab` file an error ends the run, so it is not used
        /// there.
        package let abandon: Operation

        init(enter: [Statement], leave: [Statement], abandon: [Statement]) {
            self.enter = Operation(enter)
            self.leave = Operation(leave)
            self.abandon = Operation(abandon)
        }
    }

    /// The names of an object's parts in traces. The part on which threads wait has the object's own name: its first
    /// condition, or the lock of an object without conditions.
    package func partNames(_ name: String) -> (lock: String, conditions: [String]) {
        let conditions = (0..<conditionCount).map { $0 == 0 ? name : "\(name.possessive) condition \($0 + 1)" }
        return (conditions.isEmpty ? name : "\(name.possessive) lock", conditions)
    }
}
