import Diagnosis
import Reports
import Testing
import Trace

/// The report for code scanning.
@Suite struct SARIFReportTests {
    private static func report(_ scenarios: [CheckedScenario]) throws -> JSON {
        let bytes = Array(ByteSink.collect { SARIFReport(scenarios, version: "1.2.3").write(to: &$0) }.utf8)
        return try JSONReader.read(bytes, bytes.indices)
    }

    private static func run(_ scenarios: [CheckedScenario]) throws -> JSON {
        let report = try report(scenarios)
        #expect(report["version"] == .string("2.1.0"))
        return try #require(report["runs"]?[0])
    }

    @Test func `each failure is a result with its rule, its line and its scenario`() throws {
        var failed = CheckSamples.failed
        failed.file = "scenarios/a b.lab"
        if case .mismatched(var flaws) = failed.verdict,
            case .notAllowed(var sighting, let evidence) = flaws[0].mismatch
        {
            sighting.place = Evidence.Place(file: "scenarios/a b.lab", line: 7)
            flaws[0].mismatch = .notAllowed(sighting, in: evidence)
            failed.verdict = .mismatched(flaws)
        }
        let run = try Self.run([CheckSamples.passed, failed, CheckSamples.wrong, CheckSamples.notRun])
        let rules = try #require(run["tool"]?["driver"]?["rules"])
        #expect(rules[0]?["id"] == .string("deadlock") && rules[1]?["id"] == .string("wrong") && rules[2] == nil)
        let results = try #require(run["results"])
        #expect(
            results[0]?["ruleId"] == .string("deadlock") && results[1]?["ruleIndex"] == .integer(1) && results[2] == nil
        )
        let place = results[0]?["locations"]?[0]?["physicalLocation"]
        #expect(place?["artifactLocation"]?["uri"] == .string("scenarios/a%20b.lab"))
        #expect(place?["artifactLocation"]?["uriBaseId"] == .string("ROOT"))
        #expect(place?["region"]?["startLine"] == .integer(7))
        let name = results[1]?["locations"]?[0]?["logicalLocations"]?[0]?["fullyQualifiedName"]
        #expect(name == .string("scenarios/b.lab"))
    }

    @Test func `a known failure is suppressed, and hostile text is harmless`() throws {
        var known = CheckSamples.failed
        known.isKnown = true
        let run = try Self.run([known, CheckSamples.hostile])
        #expect(run["results"]?[0]?["suppressions"]?[0]?["kind"] == .string("external"))
        #expect(run["results"]?[1]?["suppressions"] == nil)
        let text = ByteSink.collect { SARIFReport([CheckSamples.hostile], version: "1").write(to: &$0) }
        #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
}

extension JSON {
    fileprivate subscript(_ key: String) -> JSON? {
        if case .object(let members) = self { members.first { $0.key == key }?.value } else { nil }
    }

    fileprivate subscript(_ index: Int) -> JSON? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }
}
