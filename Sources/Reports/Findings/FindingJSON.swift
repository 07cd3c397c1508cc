import Diagnosis
import Trace

/// Findings for scripts: one JSON object each.
package struct FindingJSON {
    private let trace: TraceDocument

    package init(_ trace: TraceDocument) { self.trace = trace }

    package func write(_ finding: Finding, to sink: inout ByteSink) {
        sink.write(
            "{\"code\":\"\(finding.code.rawValue)\",\"name\":\"\(finding.code.name)\","
                + "\"severity\":\"\(finding.severity.rawValue)\",\"summary\":")
        sink.write(json: finding.summary)
        write("story", finding.story, to: &sink)
        if let advice = finding.advice {
            sink.write(",\"advice\":")
            sink.write(json: advice)
        }
        write("threads", finding.threads.map(trace.name), to: &sink)
        write("objects", finding.objects.map { trace.object($0)?.name ?? "" }, to: &sink)
        write("sites", finding.sites.compactMap(trace.site).map { "\($0.file):\($0.line)" }, to: &sink)
        sink.write("}")
    }

    private func write(_ key: String, _ texts: [String], to sink: inout ByteSink) {
        sink.write(",\"\(key)\":[")
        for (index, text) in texts.enumerated() {
            if index > 0 { sink.write(",") }
            sink.write(json: text)
        }
        sink.write("]")
    }
}
