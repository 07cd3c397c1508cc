import Arguments
import Console

/// What the program says when it is started without a command: what to type first. It fits a screen of 80 by 24.
struct FirstScreen {
    let program: String
    let summary: String
    /// The scenario of the examples.
    let example: String
    /// What is beside the command that runs the example: what the example shows, in a few words.
    let plot: String

    func text(width: Int) -> String {
        let layout = Layout(width: width)
        let sections = [
            layout.wrap("\(program): \(summary)"),
            ["To begin:"]
                + columns(
                    [
                        ("run \(example)", plot),
                        ("explore \(example)", "every order of its steps, until one fails"),
                        ("play \(example)", "choose each step yourself"),
                        ("show", "what else there is, by chapter"),
                        ("help guide", "the ideas of the guide, and what shows each"),
                    ], layout),
            ["A program of your own:"]
                + columns(
                    [
                        ("new bank", "writes bank.lab, a small program to change"),
                        ("run bank.lab", "runs it on real threads"),
                        ("explore bank.lab", "searches for an order of its steps that fails"),
                        ("check bank.lab", "holds it to what it expects, in scripts too"),
                        ("help language", "the language that it is written in"),
                    ], layout),
            ["A word of a report:"] + columns([("explain deadlock", "what it means, and how to fix it")], layout),
            layout.wrap("'\(program) help' lists all commands and pages."),
        ]
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func columns(_ rows: [(line: String, meaning: String)], _ layout: Layout) -> [String] {
        layout.columns(rows.map { ("\(program) \($0.line)", $0.meaning) })
    }
}
