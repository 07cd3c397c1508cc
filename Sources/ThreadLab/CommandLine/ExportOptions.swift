import Arguments

/// The options of commands that have a trace: files for other viewers (docs/exports.md).
enum ExportOptions {
    static let perfetto = TypedOption.file("perfetto", "Write the trace for ui.perfetto.dev into this file")
    static let shiviz = TypedOption.file("shiviz", "Write the trace as a log with vector clocks, for ShiViz")
    static let svg = TypedOption.file("svg", "Draw the lanes into this file, for slides and handouts")

    static let options: [any OptionDeclaration] = [perfetto, shiviz, svg]
}
