/// The number of scenarios with each verdict.
package struct CheckTally: Equatable, Sendable {
    package private(set) var passed = 0
    package private(set) var failed = 0
    package private(set) var wrong = 0
    package private(set) var errors = 0
    package private(set) var notRun = 0
    /// Failures that are listed as known.
    package private(set) var known = 0

    package init(_ scenarios: [CheckedScenario]) {
        for scenario in scenarios {
            if scenario.isKnown {
                known += 1
                continue
            }
            switch scenario.verdict {
            case .asExpected: passed += 1
            case .mismatched, .stale: failed += 1
            case .wrong: wrong += 1
            case .error: errors += 1
            case .notRun: notRun += 1
            }
        }
    }

    var total: Int { passed + known + failed + wrong + errors + notRun }

    /// Whether nothing failed, and everything was checked.
    var isGood: Bool { passed + known == total }

    /// `43 passed, 1 failed, 1 wrong file`
    var description: String {
        let parts = [
            "\(passed.grouped) passed",
            known > 0 ? "\(known.grouped) known \(known == 1 ? "failure" : "failures")" : nil,
            failed > 0 ? "\(failed.grouped) failed" : nil,
            wrong > 0 ? "\(wrong.grouped) wrong \(wrong == 1 ? "file" : "files")" : nil,
            errors > 0 ? "\(errors.grouped) not checked because of an error" : nil,
            notRun > 0 ? "\(notRun.grouped) not run" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
