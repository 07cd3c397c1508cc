import Trace

/// The results of a check as one HTML page, with links to the pages of failures.
package struct CheckIndexPage {
    private let results: [(scenario: CheckedScenario, page: String?)]

    /// - Parameter results: the scenarios, each with the name of its page's file in the same folder, if it has one.
    package init(_ results: [(scenario: CheckedScenario, page: String?)]) { self.results = results }

    package func write(to sink: inout ByteSink) {
        let tally = CheckTally(results.map(\.scenario))
        sink.write(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(PageTemplate.run.policyWithoutScript)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>threadlab check: \(tally.description.escapedForXML)</title>

            """)
        PageTemplate.run.writeStyles(to: &sink)
        sink.write(
            """
            </head>
            <body>
            <header><h1>threadlab check</h1>
            <p class="outcome \(tally.isGood ? "good" : "bad")"><strong>\(tally.description.escapedForXML)</strong></p></header>
            <main class="index"><div class="wide" tabindex="0" role="region" aria-label="Results"><table>
            <thead><tr><th scope="col">scenario</th><th scope="col">verdict</th><th scope="col">evidence</th></tr></thead>
            <tbody>

            """)
        for result in results { write(result.scenario, result.page, to: &sink) }
        sink.write("</tbody></table></div></main>\n</body>\n</html>\n")
    }

    private func write(_ scenario: CheckedScenario, _ page: String?, to sink: inout ByteSink) {
        let name = scenario.name.escapedForXML
        let link = page.map { "<a href=\"\($0.escapedForXML)\">\(name)</a>" } ?? name
        sink.write("<tr><th scope=\"row\">\(link)</th>")
        sink.write(
            "<td class=\"verdict \(scenario.isFailure ? "bad" : "good")\"><strong>\(scenario.word)</strong></td><td>")
        sink.write(EvidenceWords.summary(scenario).escapedForXML)
        for line in CheckStory(scenario).lines {
            switch line {
            case .words: sink.write("<p>\(line.text.escapedForXML)</p>")
            case .verbatim: sink.write("<p><code>\(line.text.escapedForXML)</code></p>")
            }
        }
        sink.write("</td></tr>\n")
    }
}
