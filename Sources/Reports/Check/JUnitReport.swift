import Diagnosis
import Text
import Trace

/// The check report as JUnit XML, in the form that CI systems read (junit-10.xsd of the Jenkins plugin).
package struct JUnitReport {
    private let scenarios: [CheckedScenario]

    package init(_ scenarios: [CheckedScenario]) { self.scenarios = scenarios }

    package func write(to sink: inout ByteSink) {
        let tally = CheckTally(scenarios)
        let errors = tally.wrong + tally.errors
        let counts = "tests=\"\(tally.total)\" failures=\"\(tally.failed + tally.undecided)\" errors=\"\(errors)\""
        // The sum of the scenarios' durations, though several were checked at the same time.
        let duration = scenarios.reduce(0 as UInt64) { $0 + min($1.duration, .max - $0) }
        let time = "time=\"\(duration.seconds(digits: 3))\""
        put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", to: &sink)
        put("<testsuites name=\"threadlab check\" \(counts) \(time)>", to: &sink)
        put(
            "  <testsuite name=\"threadlab check\" \(counts) skipped=\"\(tally.notRun + tally.known)\" \(time)>",
            to: &sink)
        for scenario in scenarios { write(scenario, to: &sink) }
        put("  </testsuite>", to: &sink)
        put("</testsuites>", to: &sink)
    }

    private func write(_ scenario: CheckedScenario, to sink: inout ByteSink) {
        let (group, title) = scenario.place
        let begin =
            "    <testcase classname=\"\(group.escapedForXML)\" name=\"\(title.escapedForXML)\" "
            + "time=\"\(scenario.duration.seconds(digits: 3))\">"
        put(begin, to: &sink)
        writeVerdict(scenario, to: &sink)
        if !scenario.evidence.isEmpty {
            let words = EvidenceWords.summary(scenario)
            put("      <system-out>\(words.escapedForXML)</system-out>", to: &sink)
        }
        put("    </testcase>", to: &sink)
    }

    private func writeVerdict(_ scenario: CheckedScenario, to sink: inout ByteSink) {
        if scenario.isKnown { return put("      <skipped message=\"known failure\"/>", to: &sink) }
        switch scenario.verdict {
        case .asExpected: break
        case .notRun: put("      <skipped message=\"not run\"/>", to: &sink)
        case .mismatched(let flaws): write(flaws, scenario, type: nil, to: &sink)
        case .undecided(let flaws): write(flaws, scenario, type: scenario.word, to: &sink)
        case .evading(let differences):
            let text = ([differences[0].message] + differences.map(\.text)).joined(separator: "\n")
            put("failure", type: scenario.word, text, to: &sink)
        case .stale(let text): put("failure", type: "stale", text, to: &sink)
        case .lostProof(let text): put("failure", type: "not-proved", text, to: &sink)
        case .wrong(let text), .error(let text): put("error", type: scenario.word, text, to: &sink)
        }
    }

    private func put(_ element: String, type: String, _ text: String, to sink: inout ByteSink) {
        put("      <\(element) type=\"\(type)\" message=\"\(text.firstLine.escapedForXML)\">", to: &sink)
        put(text.escapedForXML, to: &sink)
        put("      </\(element)>", to: &sink)
    }

    /// Writes a single element for all flaws, because some readers do not accept several.
    ///
    /// - Parameter type: the element's type. Nil: the type of the first flaw.
    private func write(
        _ flaws: [CheckedScenario.Flaw], _ scenario: CheckedScenario, type: String?, to sink: inout ByteSink
    ) {
        let message = flaws.map { EvidenceWords.sentence($0.mismatch) }.joined(separator: "; ").escapedForXML
        put("      <failure type=\"\(type ?? flaws[0].mismatch.failureType)\" message=\"\(message)\">", to: &sink)
        if scenario.file != nil {
            let place = scenario.failurePlace
            put("At \(place.file):\(place.line)".escapedForXML, to: &sink)
        }
        if let expectation = scenario.expectation { put("Expected: \(expectation)".escapedForXML, to: &sink) }
        for line in CheckStory(scenario).lines { put(line.text.escapedForXML, to: &sink) }
        put("      </failure>", to: &sink)
    }

    private func put(_ line: String, to sink: inout ByteSink) {
        sink.write(line)
        sink.endLine()
    }
}

extension String {
    /// The text escaped for the content of an element or an attribute. XML cannot represent most control characters, so
    /// visible symbols for them (Unicode's control pictures), or escapes, replace them.
    package var escapedForXML: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n": text += "&#10;"
            // The noncharacters at the end of each plane, such as U+FFFE and U+FFFF.
            case _ where scalar.value & 0xFFFE == 0xFFFE: text += "\u{FFFD}"
            case _ where scalar.isHazardous:
                text += scalar.controlPicture.map { String($0) } ?? "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
