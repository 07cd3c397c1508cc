import Diagnosis
import Trace

/// The failures of a check in the Static Analysis Results Interchange Format, version 2.1.0. Code scanning shows them
/// at lines of source.
package struct SARIFReport {
    private let scenarios: [CheckedScenario]
    private let version: String

    /// - Parameter version: the version of threadlab.
    package init(_ scenarios: [CheckedScenario], version: String) {
        self.scenarios = scenarios
        self.version = version
    }

    package func write(to sink: inout ByteSink) {
        let failures = scenarios.filter { $0.verdict.isFailure }
        let rules = failures.map(\.failureType).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            .sorted()
        sink.writeLine { json in
            json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            json.member("version", "2.1.0")
            // SARIF demands lists of runs, suppressions and locations. Each has one element here, which needs no input.
            json.objects("runs", [()]) { _, json in
                json.object("tool") { json in
                    json.object("driver") { json in
                        json.member("name", "threadlab")
                        json.member("semanticVersion", version)
                        json.objects("rules", rules) { rule, json in
                            json.member("id", rule)
                            json.object("shortDescription") { $0.member("text", Self.description(rule)) }
                        }
                    }
                }
                json.member("columnKind", "unicodeCodePoints")
                // Relative paths are relative to the root of the repository.
                json.object("originalUriBaseIds") { json in
                    json.object("ROOT") { json in
                        json.object("description") { $0.member("text", "The root of the repository") }
                    }
                }
                json.array("results", separator: ",\n") { json in
                    for scenario in failures { json.object { write(scenario, rules, to: &$0) } }
                }
            }
        }
    }

    private func write(_ scenario: CheckedScenario, _ rules: [String], to json: inout JSONObject) {
        let type = scenario.failureType
        json.member("ruleId", type)
        json.member("ruleIndex", rules.firstIndex(of: type) ?? 0)
        json.member("level", "error")
        let lines = [scenario.headline] + CheckStory(scenario).lines.map(\.text)
        json.object("message") { $0.member("text", lines.map { Label($0).text }.joined(separator: "\n")) }
        if scenario.isKnown {
            json.objects("suppressions", [()]) { _, json in
                json.member("kind", "external")
                json.member("justification", "listed as a known failure")
            }
        }
        json.objects("locations", [()]) { _, json in
            if scenario.file != nil {
                let place = scenario.failurePlace
                write(Evidence.Place(file: place.file, line: place.line), to: &json)
            }
            json.objects("logicalLocations", [()]) { _, json in json.member("fullyQualifiedName", scenario.name) }
        }
        write(scenario.account, to: &json)
        // Identifies the result when its lines have moved.
        json.object("partialFingerprints") { $0.member("scenario/v1", "\(scenario.name) \(type)") }
    }

    /// Writes the account as a flow of code, through which code scanning leads step by step.
    private func write(_ account: [AccountRow], to json: inout JSONObject) {
        if account.isEmpty { return }
        json.objects("codeFlows", [()]) { _, json in
            json.objects("threadFlows", [()]) { _, json in
                json.objects("locations", account) { row, json in
                    json.member("importance", row.role.importance)
                    json.object("location") { json in
                        if let place = row.place { write(place, to: &json) }
                        json.object("message") { $0.member("text", "\(row.thread): \(row.step)") }
                    }
                }
            }
        }
    }

    private func write(_ place: Evidence.Place, to json: inout JSONObject) {
        json.object("physicalLocation") { json in
            json.object("artifactLocation") { json in
                let isAbsolute = place.file.hasPrefix("/")
                json.member("uri", (isAbsolute ? "file://" : "") + place.file.escapedForURI)
                if !isAbsolute { json.member("uriBaseId", "ROOT") }
            }
            json.object("region") { $0.member("startLine", place.line) }
        }
    }

    private static func description(_ rule: String) -> String {
        switch rule {
        case "not-seen": "Something that must be possible was not seen"
        case "not-repeatable": "An execution differs when it is repeated with the same choices"
        case "not-proved": "Not everything was tried"
        case "busy-waiting": "A thread waits by looping"
        case "stale": "Listed as a known failure, but does not fail"
        case "evading": "Not as its task requires"
        case "undecided": "Too little was seen to say anything"
        case "nothing-seen": "No execution has ended"
        case "wrong": "The file cannot be run"
        case "error": "threadlab itself failed"
        default: "A run can end in \(rule), which is not allowed"
        }
    }
}

extension Account.Step.Role {
    /// SARIF's word for how important a step of a flow is.
    fileprivate var importance: String {
        switch self {
        case .fault: "essential"
        case .cause: "important"
        case .context: "unimportant"
        }
    }
}

extension CheckedScenario {
    /// The type by which CI systems group failures.
    var failureType: String {
        switch verdict {
        case .asExpected, .notRun: word
        case .mismatched(let flaws): flaws.first.map { $0.mismatch.failureType } ?? word
        case .stale: "stale"
        case .lostProof: "not-proved"
        case .evading, .undecided, .wrong, .error: verdict.word
        }
    }
}

extension Mismatch {
    /// The type by which CI systems group failures.
    var failureType: String {
        switch self {
        case .notAllowed(let sighting, _): sighting.outcome.kind.rawValue
        case .outcomeNotSeen, .stateNotSeen, .warningNotSeen: "not-seen"
        case .notRepeatable: "not-repeatable"
        case .notProved: "not-proved"
        case .nothingSeen: "nothing-seen"
        case .busyWaiting(let waiting, _): waiting == .unknown ? "not-proved" : "busy-waiting"
        }
    }
}

extension String {
    /// The path as a URI reference according to RFC 3986.
    fileprivate var escapedForURI: String {
        var text = ""
        for byte in utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~/".unicodeScalars.contains(scalar))
            text += isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return text
    }
}
