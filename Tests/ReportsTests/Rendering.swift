import Diagnosis
import Reports
import Support
import Trace

extension TraceDocument {
    /// The trace as a report shows it, judged if it has no outcome yet.
    func shown(as format: ReportFormat, _ options: ReportOptions = .init()) -> String {
        ByteSink.collect { format.write(self, options, to: &$0) }
    }

    func judged(guide: String? = nil) -> TraceDocument {
        var judged = self
        judged.outcome = OutcomeJudge.outcome(of: self, guide: guide)
        return judged
    }

    /// Threads and objects with names that could do harm, or are wider than they seem.
    static var hostile: TraceDocument {
        var trace = TraceDocument.abba
        trace.threads[1].name = "evil\u{1B}[2J\n\u{202E}"
        trace.threads[2].name = "線程😀e\u{301}"
        trace.objects[1]?.name = String(repeating: "long", count: 500)
        trace.objects[2]?.name = ""
        trace.sites[1]?.file = "a/\u{9B}31m.swift"
        trace.header.scenario = "\u{7}bell"
        return trace.judged(guide: "\u{1B}]0;title\u{7}")
    }
}

extension TraceDocument {
    /// The verdict with which a report of `abba` begins, whatever its format.
    static let abbaVerdict = "deadlock: first and second wait for each other; neither can ever continue."

    /// The end of such a report.
    static let abbaStory = """
          first holds a (taken at Deadlock.swift:21) and waits for b at
            Deadlock.swift:22, which second holds.
          second holds b (taken at Deadlock.swift:27) and waits for a at
            Deadlock.swift:28, which first holds.
          Behind them, main waits at Deadlock.swift:32 for first to end.
          If every thread took these locks in the same order, no such cycle could form.
          Guide: Watch Out for Deadlocks and Livelocks
          Replay: threadlab replay deadlock 0.1.2*3
        """
}

extension String {
    /// The rows of a report, which follow its title and perhaps its verdict.
    var drawing: Substring {
        split(separator: "\n\n").first { part in
            let start = part.drop { $0 == " " }.first
            return part.first == " " && (start?.isNumber == true || start == "#" || start == "." || start == "⋮")
        } ?? ""
    }
}
