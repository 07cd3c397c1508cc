import Exploration
import Glibc
import Machine
import Reports
import Supervision
import Text
import Trace

/// A graph in a file, in Graphviz's language or, if its name ends in `.svg`, drawn by Graphviz.
struct GraphvizFile {
    private let file: NewFile
    private let isDrawn: Bool

    /// - Parameter option: the option that names the file, for messages.
    init(_ path: String, option: String) throws(Complaint) {
        guard path.hasSuffix(".svg") || path.hasSuffix(".dot") || path.hasSuffix(".gv") else {
            throw Complaint("\(option) writes a .dot or .svg file, and '\(path.printable)' is neither")
        }
        try self.init(path, isDrawn: path.hasSuffix(".svg"))
    }

    init(_ path: String, isDrawn: Bool) throws(Complaint) {
        self.isDrawn = isDrawn
        file = try NewFile(at: path, for: "the graph", orElse: "choose a name in a folder of yours")
    }

    /// - Parameter body: writes the graph in Graphviz's language.
    func write(_ body: @escaping (inout ByteSink) -> Void) throws(Complaint) {
        guard isDrawn else { return try file.write(body) }
        try Self.graphviz.make(file, ["-Tsvg", OutsideProgram.path(ofInput: 0)], of: [body])
    }

    private static let graphviz = OutsideProgram(
        name: "dot", package: "graphviz", need: "a drawing needs Graphviz", instead: "write a .dot file")
}

/// A picture of a program's states in a file, in Graphviz's language or, if its name ends in `.svg`, drawn by Graphviz.
struct StateGraphFile {
    private let file: GraphvizFile

    /// A picture of more states is a tangle.
    private static let mostStates = 2000

    init(_ path: String) throws(Complaint) {
        file = try GraphvizFile(path, option: "--graph")
    }

    func write(_ plan: SearchPlan) throws(Complaint) {
        guard let subject = plan.scenario.makeSubject(plan.rules, log: nil) as? any StatefulSubject else {
            throw Complaint(
                "--graph draws the states of programs in .lab files; the state of \(plan.scenario.ownCode) is unknown")
        }
        if plan.rules.followedModel != .sc {
            throw Complaint(
                "--graph draws the states under --model sc: 'graph --reads-from' draws an execution under "
                    + "\(plan.rules.model.rawValue)")
        }
        let picture = StatePicture(
            subject, plan.rules, isReduced: plan.settings.states.isReduced, most: Self.mostStates)
        guard !picture.isIncomplete else {
            throw Complaint(
                "'\(plan.scenario.label.printable)' has more than \(Self.mostStates) states, too many for a picture: "
                    + "give its parameters smaller values")
        }
        try file.write { sink in write(picture, title: plan.scenario.label, to: &sink) }
    }

    // MARK: - Graphviz's language

    private func write(_ picture: StatePicture, title: String, to sink: inout ByteSink) {
        sink.write("digraph states {\n  label=\(GraphvizText.quoted([title]))\n  labelloc=t\n")
        sink.write("  node [shape=box style=\"rounded,filled\" fillcolor=white fontname=\"sans-serif\" fontsize=10]\n")
        sink.write("  edge [fontname=\"sans-serif\" fontsize=9 color=gray40]\n")
        for (number, state) in picture.states.enumerated() {
            guard let state else { continue }
            var lines = number == 0 ? ["start"] : []
            lines += state.memory + [state.outcome?.rawValue].compactMap { $0 }
            sink.write("  s\(number) [label=\(GraphvizText.quoted(lines))\(Self.look(state))]\n")
        }
        for step in picture.steps {
            let look = step.isOnPath ? " color=red fontcolor=red penwidth=2" : ""
            sink.write("  s\(step.from) -> s\(step.to) [label=\(GraphvizText.quoted(step.texts))\(look)]\n")
        }
        sink.write("}\n")
    }

    private static func look(_ state: StatePicture.State) -> String {
        let color = state.isOnPath ? " color=red penwidth=2" : ""
        switch state.outcome {
        case nil: return color
        case .completed: return color + " fillcolor=\"#d8f0d8\""
        default: return color + " fillcolor=\"#f6d5d5\""
        }
    }
}
