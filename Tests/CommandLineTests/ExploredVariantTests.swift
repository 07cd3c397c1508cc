import Scenarios
import Testing

/// Every variant of every scenario, searched: the broken ones fail, and the mended ones are proved.
@Suite struct ExploredVariantTests {
    struct Broken: CustomTestStringConvertible, Sendable {
        let words: String
        let outcome: String
        /// The shortest that there is.
        let schedule: String
        var testDescription: String { words }

        init(_ words: String, _ outcome: String, _ schedule: String) {
            self.words = words
            self.outcome = outcome
            self.schedule = schedule
        }
    }

    static let broken = [
        Broken(
            "producer-consumer --variant if-for-while --items 2 --producers 1", "assertion", "0x3,2x5,1x14,3x10,2x4"),
        Broken(
            "producer-consumer --variant one-condition --items 2", "deadlock",
            "0x4,2x14,3x14,4x5,2x8=0,2,1x5,3x8=0,3,4x4"),
        Broken(
            "producer-consumer --variant signal-without-lock --items 2 --producers 1 --consumers 1", "deadlock",
            "0x2,1x16,2x15,1x12,0,2"),
        Broken("producer-consumer --variant no-lock --items 1", "assertion", "0x4,1x7,3x6,4x5"),
        Broken("deadlock --variant opposite-orders", "deadlock", "0x2,1x2,2x3,1"),
        Broken("deadlock --variant self", "deadlock", "0,1x2"),
        Broken("deadlock --variant ring", "deadlock", "0x3,1x2,2x2,3x3,1,2"),
        Broken("deadlock --variant philosophers", "deadlock", "0x3,1x2,2x2,3x3,1,2"),
        Broken(
            "deadlock --variant try-lock", "livelock",
            "0x2,1x2,2x4,1x3,2x3,1x4,2x3,1x3,2x4,1x3,2x3,1x4,2x3,1x3,2x5"),
        Broken("cancellation --variant never-checks", "assertion", "0,1x15,0x9,1x43,0x2"),
        Broken("cancellation --variant plain-flag", "race", "0,1x8,0x3,1x3,0x3"),
        Broken("shutdown --variant detached", "assertion", "0,1x5,0x2"),
        Broken("shutdown --variant late-detach", "assertion", "0,1x5,0x3"),
        Broken("shutdown --variant forgotten-join", "leak", "0,1x5,0,1x7,0x2"),
        Broken("shutdown --variant join-twice", "misuse", "0,1x11,0x2"),
        Broken("shutdown --variant join-self", "misuse", "0,1x12"),
    ]

    private static let pair = "--producers 1 --consumers 1"

    static let mended = [
        "producer-consumer --variant conditions --items 1", "producer-consumer --variant conditions --items 2 \(pair)",
        "producer-consumer --variant semaphores --items 1", "producer-consumer --variant semaphores --items 2 \(pair)",
        "producer-consumer --variant condition-lock --items 1 \(pair)",
        "producer-consumer --variant condition-lock --items 2 \(pair)",
        "producer-consumer --variant queue --items 1", "producer-consumer --variant queue --items 2 \(pair)",
        "deadlock --variant ordered --attempts 1", "deadlock --variant ordered --attempts 2",
        "deadlock --variant philosophers-ordered --threads 3", "deadlock --variant philosophers-ordered --threads 4",
        "cancellation --variant dictionary", "cancellation --variant atomic-flag", "shutdown --variant joinable",
    ]

    private func explore(_ words: String) throws -> Ended {
        let arguments =
            ["explore"] + words.split(separator: " ").map(String.init) + ["--format", "json", "--time", "60s"]
        return try Invocation(program: Programs.threadlab, arguments: arguments).run().succeeds()
    }

    @Test(arguments: broken) func `a broken variant fails, with the shortest schedule that there is`(variant: Broken)
        throws
    {
        let output = try explore(variant.words).output
        #expect(output.contains("\"conclusion\":\"finding\""))
        #expect(output.contains("\"outcome\":\"\(variant.outcome)\",\"confirmed\":true,\"expected\":true"))
        #expect(output.contains("\"schedule\":\"\(variant.schedule)\""))
    }

    @Test(arguments: mended) func `a mended variant is proved`(words: String) throws {
        try explore(words).prints("\"conclusion\":\"proved\"")
    }

    @Test func `no variant is left out`() {
        let known = Set(
            (Self.broken.map(\.words) + Self.mended).map { $0.split(separator: " ").prefix(3).joined(separator: " ") })
        for scenario in Catalogue.builtIn {
            let parameter = scenario.parameters.first { $0.name == "variant" }
            guard case .choice(let variants) = parameter?.form else { continue }
            // A livelock of this one is allowed, and unlikely: its space is too large for a proof.
            for variant in variants where variant.word != "try-lock-jitter" {
                #expect(known.contains("\(scenario.name) --variant \(variant.word)"))
            }
        }
    }
}
