/// The syntax tree of a `.lab` file: the program as written, before names are resolved. Most nodes have their place in
/// the text.
package enum Syntax {
    package struct Name {
        package var text: String
        package var span: Span
    }

    package struct File {
        /// The scenario's name, without quotation marks.
        package var title: String
        /// The lines of the `///` comment before it.
        package var description: [String]
        package var items: [Item]
        /// The span of each item, including its first word.
        package var spans: [Span] = []
    }

    package struct Block {
        package var statements: [Statement]
        package var span: Span
    }
}

extension Syntax {
    /// A declaration, or another part of a file outside of threads.
    package enum Item {
        case parameter(ParameterDeclaration)
        case objects(ObjectDeclaration)
        case function(FunctionDeclaration)
        case thread(ThreadDeclaration)
        /// The block, and the word `finally`.
        case finally(Block, Span)
        case run(RunDeclaration)
        case expect(ExpectDeclaration)
        case task(TaskDeclaration)
        case specification(SpecificationDeclaration)
    }
}

/// The type of a value. A value of any type is stored in 64 bits.
package enum ValueType: Sendable {
    /// 64 bits, with a sign. Overflow ends the run with an error.
    case integer
    /// 0 or 1.
    case boolean
    /// Nanoseconds.
    case duration
}

extension ValueType {
    /// The name of such a value in messages.
    package var noun: String {
        switch self {
        case .integer: "a number"
        case .boolean: "a truth value"
        case .duration: "a time"
        }
    }

    /// The type as written.
    package var name: String {
        switch self {
        case .integer: Keyword.int.rawValue
        case .boolean: Keyword.bool.rawValue
        case .duration: Keyword.duration.rawValue
        }
    }
}
