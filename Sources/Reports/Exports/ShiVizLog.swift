import Diagnosis
import Text
import Trace

/// Writes a trace as a log with vector clocks for ShiViz (docs/views.md). The log has a line for each step. Before them
/// come the regular expression with which ShiViz reads the lines, and an empty line in place of the expression that
/// would separate several executions.
package enum ShiVizLog {
    /// Matches a thread, its clock, and the step in words. The expression does not match itself.
    package static let expression = #"^(?<host>\S+) (?<clock>\{[^}]*\}) (?<event>.*)$"#

    /// - Returns: the number of events that are not written, because the log would exceed `most` bytes.
    @discardableResult
    package static func write(
        _ trace: TraceDocument, to sink: inout ByteSink, upTo most: Int = ExportLimits.bytes
    ) -> Int {
        let start = sink.count
        let cast = Cast(trace, ReportOptions())
        let words = StepWords(cast: cast)
        let hosts = hosts(trace)
        var clocks = EventClocks()
        sink.write(expression)
        sink.endLine()
        sink.endLine()
        let (roles, limits) = trace.roles()
        for (index, event) in trace.events.prefix(trace.runLength).enumerated() where !event.kind.concernsRun {
            if sink.count - start > most {
                sink.flush()
                return trace.runLength - index
            }
            let isLine = roles[index] == .step && hosts.indices.contains(Int(event.thread.index))
            clocks.consume(event, counts: isLine)
            guard isLine else { continue }
            sink.write(hosts[Int(event.thread.index)])
            sink.write(" {")
            for (place, entry) in clocks.clock(of: event.thread).enumerated() {
                if place > 0 { sink.write(", ") }
                sink.write("\"\(hosts[Int(entry.thread.index)])\": \(entry.time)")
            }
            sink.write("} ")
            sink.write(words.label(event, at: index, limit: limits[index]).text)
            if let site = trace.site(event.site) { sink.write(" (\(cast.label(site.shortDescription).text))") }
            sink.endLine()
        }
        sink.flush()
        return 0
    }

    /// Unique names of the threads, without blanks and characters that end a name or a clock.
    private static func hosts(_ trace: TraceDocument) -> [String] {
        var known: Set<String> = []
        return trace.threads.enumerated().map { index, thread in
            let name = String(
                String.UnicodeScalarView(
                    Label(thread.name.shortened()).text.unicodeScalars.map { scalar in
                        scalar.properties.isWhitespace || "\"\\{}".unicodeScalars.contains(scalar) ? "_" : scalar
                    }))
            let host = name.isEmpty || known.contains(name) ? "\(name)#\(index)" : name
            known.insert(host)
            return host
        }
    }
}
