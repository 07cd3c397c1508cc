import Support
import Testing

/// Whatever a list prints as a name, every command takes.
@Suite struct NameTests {
    /// The names that `list`, `check --list --builtin` and docs/guide.md print.
    private static func names() throws -> [String] {
        let checked = try threadlab("check", "--list", "--builtin").run().succeeds().lines
        let listed = try threadlab("__complete", "run", "").run().succeeds().lines.compactMap {
            $0.split(separator: "\t").first
        }
        let list = try threadlab("show", "--long").run().succeeds().output
        let names = listed.filter { !$0.hasPrefix(":") }
        #expect(names.allSatisfy { list.contains($0) })
        return Set((checked + names).map(String.init) + GuidePageTests.names.filter { !$0.contains(" ") }).sorted()
    }

    @Test func `check and show take each name that list, check and the guide print`() throws {
        let names = try Self.names()
        #expect(names.count > 300)
        let lines = try Invocation(program: Programs.threadlab, arguments: ["check", "--list"] + names).run().succeeds()
            .output.split(separator: "\n")
        #expect(Set(names.filter { $0.contains("/") }).isSubset(of: Set(lines.map(String.init))))
        for name in Extent.part(of: names, every: 4) { try threadlab("show", name).run().succeeds() }
    }

    /// A variant, a program, and a program with its chapter.
    private static let kinds = ["deadlock/opposite-orders", "lost-update", "basics/lost-update"]

    private static let commands: [[String]] = [
        ["run", "--format", "none"], ["explore"], ["show"], ["show", "--code"], ["check"], ["check", "--list"],
        ["export", "--as", "locks"], ["help", "run"],
    ]

    @Test(arguments: kinds, commands) func `a name is a name in every command`(name: String, command: [String]) throws {
        let run = try Invocation(program: Programs.threadlab, arguments: command + [name]).run()
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test(arguments: kinds) func `diff, replay and play take a name`(name: String) throws {
        try threadlab("diff", name, name, "--seed", "1").run().succeeds()
        let replay = try threadlab("replay", name, "--schedule", "0", "--format", "none").run()
        #expect(!replay.errors.contains("unknown"))
        try threadlab("play", name, "--plain").run().succeeds()
    }

    @Test func `a variant in the name is the variant that runs`() throws {
        try threadlab("run", "deadlock/self", "--seed", "1", "--format", "none").run().succeeds()
            .prints("'self' ends in deadlock")
        try threadlab("diff", "deadlock/ring", "deadlock/ordered").run().exits(with: 1).prints("variant=ordered")
        try threadlab("check", "deadlock/ring").run().succeeds().prints("deadlock/ring").prints("1 passed")
        try threadlab("show", "deadlock/ring").run().succeeds().prints("\n  ring  ").doesNotPrint("\n  self ")
            .prints("run deadlock --variant ring")
        try threadlab("show", "deadlock/ring", "--code").run().succeeds().prints("> ")
    }

    @Test func `a variant is named once`() throws {
        try threadlab("run", "deadlock/ring", "--variant", "self").run().exits(with: 2)
            .complains("deadlock/ring names its variant: leave out --variant")
        try threadlab("explore", "deadlock/ring", "--variant", "ring").run().succeeds()
    }

    @Test(arguments: [
        ("deadlock", "unknown command 'deadlock': did you mean 'threadlab run deadlock'?"),
        ("deadlock/ring", "unknown command 'deadlock/ring': did you mean 'threadlab run deadlock/ring'?"),
        ("TL101", "unknown command 'TL101': did you mean 'threadlab explain TL101'?"),
        ("basics", "unknown command 'basics': did you mean 'threadlab show basics'?"),
        ("guide", "unknown command 'guide': did you mean 'threadlab help guide'?"),
        ("run TL101", "unknown scenario 'TL101': did you mean 'threadlab explain TL101'?"),
        ("run basics", "unknown scenario 'basics': did you mean 'threadlab show basics'?"),
        ("run bank", "unknown scenario 'bank': did you mean 'bank.lab'?"),
        ("bank", "unknown command 'bank': did you mean 'threadlab run bank.lab'?"),
        ("run folder", "unknown scenario 'folder': did you mean 'threadlab check folder'?"),
        ("run ./folder", "./folder is a folder: 'threadlab check ./folder' checks the programs in it"),
        ("run deadlok/ring", "unknown scenario 'deadlok/ring': did you mean 'deadlock/ring'?"),
        ("run deadlock/rign", "deadlock has no variant 'rign': did you mean 'ring'?"),
        ("help lost-update", "no command or page is called 'lost-update': did you mean 'threadlab show lost-update'?"),
        ("help TL101", "no command or page is called 'TL101': did you mean 'threadlab explain TL101'?"),
        ("help rnu", "no command or page is called 'rnu': did you mean 'run'?"),
        ("help wat", "no command or page is called 'wat': 'threadlab help' lists them"),
        (
            "explain deadlock/ring",
            "no finding or term is called 'deadlock/ring': did you mean 'threadlab show deadlock/ring'?"
        ),
    ]) func `a word in the wrong place leads to the command that was meant`(line: String, complaint: String) throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("bank.lab", [])
        try directory.directory("folder")
        try Invocation(program: Programs.threadlab, arguments: line.split(separator: " ").map(String.init))
            .inDirectory(directory.path).run().exits(with: 2).complains(complaint).printsNothing()
    }
}
