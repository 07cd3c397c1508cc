import Diagnosis
import Text
import Trace

/// A graph of a run, as `threadlab export` draws it: nodes and arrows, of which some are marked as the problem.
package struct RunGraph {
    package enum Kind: String, CaseIterable, Sendable {
        /// The locks that were taken while other locks were held.
        case locks
        /// What each thread waits for at the end of the run.
        case waits
        /// The steps that are ordered before the accesses of a data race.
        case order
        /// The write that each read of an atomic reads, and the modification orders.
        case reads
    }

    enum Shape { case thread, object, step }

    struct Node {
        var id: String
        var lines: [String]
        var shape: Shape
        var isMarked = false
        /// The thread of a step, whose nodes are drawn in one column. Nil: the node is not a step.
        var group: Int?
    }

    struct Edge {
        var from: String
        var to: String
        var lines: [String] = []
        var isMarked = false
        var isDashed = false
        var isDotted = false
        /// Whether it is a line, not an arrow.
        var isUndirected = false
    }

    let title: String
    var nodes: [Node] = []
    var edges: [Edge] = []
    /// Words below the title that say what the graph shows.
    var remark: String?
    /// Why a wait-for graph shows no wait. Nil: it shows one, or the graph is of another kind.
    package internal(set) var lack: String?

    /// - Returns: nil if the kind is `order`, and the run has no data race.
    package init?(_ kind: Kind, of trace: TraceDocument) {
        let cast = Cast(trace, ReportOptions())
        title = cast.title.text
        switch kind {
        case .locks: addLocks(trace, cast)
        case .waits: addWaits(trace, cast)
        case .order: guard addOrder(trace, cast) else { return nil }
        case .reads: addReads(trace, cast)
        }
        shorten()
    }

    /// The limits of a picture. A larger one is unreadable, and takes Graphviz very long.
    private static let mostArrows = 2000
    private static let mostNodes = 2000

    /// Limits the size of the graph: keeps marked arrows and the first of the others, and the nodes at their ends. The
    /// remark then says how much is left out.
    private mutating func shorten() {
        let (allArrows, allNodes) = (edges.count, nodes.count)
        guard allArrows > Self.mostArrows || allNodes > Self.mostNodes else { return }
        edges = Array((edges.filter(\.isMarked) + edges.filter { !$0.isMarked }).prefix(Self.mostArrows))
        let ends = Set(edges.flatMap { [$0.from, $0.to] })
        var room = max(0, Self.mostNodes - ends.count)
        nodes = nodes.filter { node in
            if ends.contains(node.id) { return true }
            room -= 1
            return room >= 0
        }
        let part =
            "too large to draw: \(edges.count.grouped) of \(allArrows.grouped) arrows, \(nodes.count.grouped) of \(allNodes.grouped) nodes"
        remark = remark.map { "\($0); \(part)" } ?? part
    }

    /// The kind that best shows how the run ended.
    package static func fitting(_ outcome: OutcomeKind?, _ header: TraceHeader) -> Kind {
        switch outcome {
        case .deadlock, .livelock, .timeout: .waits
        case .race: .order
        case .completed, .starvation, .assertion, .claim, .brokenClaim, .lockOrder, .misuse, .leak, .error, .crash,
            .interrupted, nil:
            header.memoryModel == nil ? .locks : .reads
        }
    }

    static func place(_ site: SiteID, _ trace: TraceDocument, _ cast: Cast) -> String {
        trace.site(site).map { cast.label($0.shortDescription).text } ?? ""
    }
}

extension RunGraph {
    /// Writes the graph in Graphviz's language.
    package func write(to sink: inout ByteSink) {
        sink.write(
            "digraph run {\n  label=\(GraphvizText.quoted([title] + [remark].compactMap { $0 }))\n  labelloc=t\n  fontname=\"sans-serif\"\n"
        )
        sink.write("  node [fontname=\"sans-serif\" fontsize=11 style=filled fillcolor=white]\n")
        sink.write("  edge [fontname=\"sans-serif\" fontsize=10 color=gray40]\n")
        for node in nodes {
            let shape =
                switch node.shape {
                case .thread: "shape=box style=\"rounded,filled\""
                case .object: "shape=ellipse"
                case .step: "shape=box"
                }
            let mark = node.isMarked ? " color=\"#b00020\" penwidth=2 fillcolor=\"#f6d5d5\"" : ""
            let group = node.group.map { " group=g\($0)" } ?? ""
            sink.write("  \(node.id) [label=\(GraphvizText.quoted(node.lines)) \(shape)\(mark)\(group)]\n")
        }
        for edge in edges {
            var looks = edge.lines.isEmpty ? [] : ["label=\(GraphvizText.quoted(edge.lines))"]
            if edge.isMarked { looks.append("color=\"#b00020\" fontcolor=\"#b00020\" penwidth=2") }
            if edge.isDashed { looks.append("style=dashed") }
            if edge.isDotted { looks.append("style=dotted constraint=false") }
            if edge.isUndirected { looks.append("dir=none constraint=false") }
            sink.write("  \(edge.from) -> \(edge.to) [\(looks.joined(separator: " "))]\n")
        }
        sink.write("}\n")
        sink.flush()
    }
}

/// Text in Graphviz's language.
package enum GraphvizText {
    /// The lines in quotation marks, with characters escaped that have a meaning for Graphviz.
    package static func quoted(_ lines: [String]) -> String {
        let escaped = lines.map {
            $0.printable.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        }
        return "\"\(escaped.joined(separator: "\\n"))\""
    }
}
