/// The program as it is written, before names mean anything: value types, each with its place in the text.
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
    }

    package struct Block {
        package var statements: [Statement]
        package var span: Span
    }
}
