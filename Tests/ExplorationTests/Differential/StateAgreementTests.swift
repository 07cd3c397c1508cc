import Exploration
import LabExecution
import Machine
import Support
import Testing

/// The search by states against searches of executions: they share the machine, and nothing else.
@Suite struct StateAgreementTests {
    static let rules: [Rules] = {
        var all: [Rules] = []
        for waiters in Rules.Waiters.allCases {
            for timeouts in Rules.Timeouts.allCases {
                for spurious in [0, 1] {
                    var rules = Rules(maximumSteps: 300, spuriousWakeups: spurious)
                    rules.waiters = waiters
                    rules.timeouts = timeouts
                    all.append(rules)
                }
            }
        }
        return all
    }()

    static let settings: [StateSettings] = [(true, true), (true, false), (false, true), (false, false)].map {
        var settings = StateSettings()
        (settings.isReduced, settings.exchanges) = $0
        settings.isDepthFirst = $0.0 != $0.1
        return settings
    }

    static let texts: [(name: String, text: String)] =
        (SmallPrograms.all + SmallPrograms.withCells).map { ($0, $0) } + EarlyEnd.all.map { ($0.name, $0.text) }

    @Test(arguments: rules)
    func `a search by states finds in small programs what all interleavings show`(_ rules: Rules) throws {
        for (name, text) in Self.texts { try compare(text, rules, name) }
    }

    @Test(arguments: rules)
    func `a search by states finds in random programs what all interleavings show`(_ rules: Rules) throws {
        for seed in Extent.part(of: UInt64(1)...30, every: 2) {
            try compare(RandomProgram(seed: seed).lab, rules, "random \(seed)")
            try compare(EarlyEndProgram(seed: seed).text, rules, "early end \(seed)")
            try compare(FeatureProgram(seed: seed).text, rules, "feature \(seed)")
        }
    }

    /// Claims about every state: writes of what they read depend on each other.
    private static let claims = [
        ("x[0] + a[1] < 3 && a[0] != 2", "a[0] == 1 && x[1] == 1"), ("x < 2 || a == 0", "x == 1 && b == 1"),
    ]

    @Test(arguments: rules)
    func `a search by states finds in programs with claims about every state what all interleavings show`(
        _ rules: Rules
    ) throws {
        for seed in Extent.part(of: UInt64(1)...30, every: 2) {
            for (text, claim) in [
                (RandomProgram(seed: seed).lab, Self.claims[0]), (FeatureProgram(seed: seed).text, Self.claims[1]),
            ] {
                try compare(text + "\ninvariant \(claim.0)\n", rules, "invariant \(seed)")
                try compare(text + "\nexpect eventually \(claim.1)\n", rules, "eventually \(seed)")
            }
        }
    }

    private func compare(_ text: String, _ rules: Rules, _ name: String) throws {
        let engine = try TestProgram(text).engine(rules)
        let isTimed = text.contains(/for: |sleep/)
        if rules.timeouts == .any && !isTimed { return }
        guard let expected = KindsOfEnd(engine, .dfs, limit: 3000) ?? KindsOfEnd(engine, .dpor, limit: 3000) else {
            return
        }
        for var settings in Self.settings {
            settings.rules = rules
            let found = KindsOfEnd(engine, settings, countsTerminals: !settings.isReduced)
            let comment: Comment =
                "\(name), \(rules), reduced \(settings.isReduced), exchanged \(settings.exchanges)\n\(text)"
            if settings.isReduced {
                #expect(found?.findings == expected.findings, comment)
            } else {
                #expect(found == expected, comment)
            }
        }
    }
}
