import Authoring
import Console
import Exploration
import Glibc
import Machine
import Reports
import Supervision
import Text
import Trace

/// A graph in a file, in Graphviz's language or, if its name ends in `.svg`, drawn by Graphviz.
struct GraphvizFile {
    /// The file. Nil: standard output.
    private let file: NewFile?
    private let isDrawn: Bool

    /// - Parameter path: nil for standard output.
    init(_ path: String?) throws(Complaint) {
        isDrawn = path?.hasSuffix(".svg") ?? false
        file = try path.map { path throws(Complaint) in
            try NewFile(at: path, for: "the graph", orElse: "choose a name in a folder of yours")
        }
    }

    /// - Parameter body: writes the graph in Graphviz's language.
    func write(_ body: @escaping (inout ByteSink) -> Void) throws(Complaint) {
        guard let file else { return try StandardOutput.write(body) }
        guard isDrawn else { return try file.write(body) }
        try Self.graphviz.make(file, ["-Tsvg", OutsideProgram.path(ofInput: 0)], of: [body])
    }

    private static let graphviz = OutsideProgram(
        name: "dot", package: "graphviz", need: "a drawing needs Graphviz", instead: "write a .dot file")
}

/// The states of a small program and the steps between them, as a graph (`export --as states`). Left out are states
/// that occur only because independent steps can also be taken in another order, and states in which only one thing can
/// happen: the edge that passes them lists their steps.
struct StateGraph {
    private let picture: StatePicture
    private let title: String

    /// The maximum number of states. A picture of more is not readable.
    private static let mostStates = 2000

    init(_ scenario: any Runnable, _ rules: Rules) throws(Complaint) {
        guard let subject = scenario.makeSubject(rules, log: nil) as? any StatefulSubject else {
            throw Complaint(
                "export --as states draws programs in .lab files; the state of \(scenario.ownCode) is unknown")
        }
        if rules.followedModel != .sc {
            throw Complaint(
                "export --as states draws the states under --model sc: --as reads-from draws an execution under "
                    + "\(rules.model.rawValue)")
        }
        picture = StatePicture(subject, rules, isReduced: true, most: Self.mostStates)
        title = scenario.label
        guard !picture.isIncomplete else {
            throw Complaint(
                "'\(title.printable)' has more than \(Self.mostStates) states, too many for a picture: "
                    + "give its parameters smaller values")
        }
    }

    func write(to file: GraphvizFile) throws(Complaint) { try file.write { sink in write(to: &sink) } }

    // MARK: - Graphviz's language

    private func write(to sink: inout ByteSink) {
        sink.write("digraph states {\n  label=\(GraphvizText.quoted([title]))\n  labelloc=t\n")
        sink.write("  node [shape=box style=\"rounded,filled\" fillcolor=white fontname=\"sans-serif\" fontsize=10]\n")
        sink.write("  edge [fontname=\"sans-serif\" fontsize=9 color=gray40]\n")
        for (number, state) in picture.states.enumerated() {
            guard let state else { continue }
            var lines = number == 0 ? ["start"] : []
            lines += state.memory + [state.outcome?.rawValue].compactMap { $0 }
            sink.write("  s\(number) [label=\(GraphvizText.quoted(lines))\(Self.attributes(of: state))]\n")
        }
        for step in picture.steps {
            let color = step.isOnPath ? " color=red fontcolor=red penwidth=2" : ""
            sink.write("  s\(step.from) -> s\(step.to) [label=\(GraphvizText.quoted(step.texts))\(color)]\n")
        }
        sink.write("}\n")
    }

    /// The attributes of a node: a red border on the path to the first failure, green for a completed execution, pink
    /// for a failed one.
    private static func attributes(of state: StatePicture.State) -> String {
        let color = state.isOnPath ? " color=red penwidth=2" : ""
        switch state.outcome {
        case nil: return color
        case .completed: return color + " fillcolor=\"#d8f0d8\""
        default: return color + " fillcolor=\"#f6d5d5\""
        }
    }
}
