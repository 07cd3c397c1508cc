/// The number of scenarios with each verdict.
package struct CheckTally: Equatable, Sendable {
    package private(set) var passed = 0
    package private(set) var failed = 0
    package private(set) var wrong = 0
    package private(set) var errors = 0
    package private(set) var notRun = 0

    package init(_ scenarios: [CheckedScenario]) {
        for scenario in scenarios {
            switch scenario.verdict {
            case .asExpected: passed += 1
            case .mismatched: failed += 1
            case .wrong: wrong += 1
            case .error: errors += 1
            case .notRun: notRun += 1
            }
        }
    }

    var total: Int { passed + failed + wrong + errors + notRun }

    /// `43 passed, 1 failed, 1 wrong file`
    var description: String {
        let parts = [
            "\(passed.grouped) passed", failed > 0 ? "\(failed.grouped) failed" : nil,
            wrong > 0 ? "\(wrong.grouped) wrong \(wrong == 1 ? "file" : "files")" : nil,
            errors > 0 ? "\(errors.grouped) not checked because of an error" : nil,
            notRun > 0 ? "\(notRun.grouped) not run" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
