import Diagnosis
import Trace

/// Findings for scripts: one JSON object each.
package struct FindingJSON {
    private let trace: TraceDocument

    package init(_ trace: TraceDocument) { self.trace = trace }

    package func write(_ finding: Finding, to json: inout JSONObject) {
        json.member("code", finding.code.rawValue)
        json.member("name", finding.code.name)
        json.member("severity", finding.severity.rawValue)
        json.member("summary", finding.summary)
        json.array("story", finding.story)
        json.member("advice", finding.advice)
        json.array("threads", finding.threads.map(trace.name))
        json.array("objects", finding.objects.map { trace.object($0)?.name ?? "" })
        json.array("sites", finding.sites.compactMap(trace.site).map { "\($0.file):\($0.line)" })
    }
}
