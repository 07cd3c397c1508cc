import Diagnosis
import Trace

/// A graph of a run, as `threadlab graph` draws it: nodes and arrows, of which some are marked as the problem.
package struct RunGraph {
    package enum Kind: String, CaseIterable, Sendable {
        /// Which locks were taken while which others were held.
        case locks
        /// What each thread waits for at the end of the run.
        case waits
        /// What is ordered before the two accesses of a data race.
        case order
    }

    enum Shape { case thread, object, step }

    struct Node {
        var id: String
        var lines: [String]
        var shape: Shape
        var isMarked = false
        /// The nodes of one group are in one column. Nil: it has none.
        var group: Int?
    }

    struct Edge {
        var from: String
        var to: String
        var lines: [String] = []
        var isMarked = false
        var isDashed = false
        /// Whether it is a line, not an arrow.
        var isUndirected = false
    }

    let title: String
    var nodes: [Node] = []
    var edges: [Edge] = []
    /// What the graph shows, in a sentence below the title.
    var remark: String?

    /// - Returns: nil if the run has nothing of this kind: no data race.
    package init?(_ kind: Kind, of trace: TraceDocument) {
        let cast = Cast(trace, ReportOptions())
        title = cast.label(trace.header.scenario).text
        switch kind {
        case .locks: addLocks(trace, cast)
        case .waits: addWaits(trace, cast)
        case .order: guard addOrder(trace, cast) else { return nil }
        }
    }

    /// The kind that shows how the run ended.
    package static func fitting(_ outcome: OutcomeKind?) -> Kind {
        switch outcome {
        case .deadlock, .livelock, .timeout: .waits
        case .race: .order
        default: .locks
        }
    }

    static func place(_ site: SiteID, _ trace: TraceDocument, _ cast: Cast) -> String {
        trace.site(site).map { cast.label($0.shortDescription).text } ?? ""
    }
}
