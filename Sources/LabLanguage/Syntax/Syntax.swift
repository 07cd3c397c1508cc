/// The program as it is written, before names mean anything: value types, each with its place in the text.
enum Syntax {
    struct Name {
        var text: String
        var span: Span
    }

    struct File {
        /// The scenario's name, without quotation marks.
        var title: String
        /// The lines of the `///` comment before it.
        var description: [String]
        var items: [Item]
    }

    struct Block {
        var statements: [Statement]
        var span: Span
    }
}
