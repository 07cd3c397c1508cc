import Arguments

/// The options of commands that have a trace: files for other viewers (docs/exports.md).
struct ExportOptions: OptionGroup {
    let perfetto = TypedOption.file("perfetto", "Write the trace for ui.perfetto.dev into this file")
    let shiviz = TypedOption.file("shiviz", "Write the trace as a log with vector clocks, for ShiViz")
    let svg = TypedOption.file("svg", "Draw the lanes into this file, for slides and handouts")
}
