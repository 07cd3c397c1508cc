import Diagnosis
import Trace

/// PLACEHOLDER until RunModel is merged.
struct PlayedModel {
    let trace: TraceDocument
    init(_ trace: TraceDocument) { self.trace = trace }
    func graph(after count: Int) -> WaitForGraph {
        var graph = WaitForGraph()
        for event in trace.events[..<count] { graph.consume(event) }
        return graph
    }
}
