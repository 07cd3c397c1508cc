import Trace

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
            if edge.isUndirected { looks.append("dir=none constraint=false") }
            sink.write("  \(edge.from) -> \(edge.to) [\(looks.joined(separator: " "))]\n")
        }
        sink.write("}\n")
        sink.flush()
    }
}
