import Testing

/// The help of a program with scenarios of its own.
@Suite struct PluginHelpTests {
    @Test(arguments: ["show", "run", "explore", "check", "play", "export", "diff"], [false, true])
    func `the first example of a command is about a scenario of the program's own`(
        command: String, isAlone: Bool
    ) throws {
        let lines = try Self.examples(command, isAlone)
        #expect(lines.first?.hasPrefix("lab-plugin \(command) trouble") == true)
        let others = lines.filter { $0.contains("deadlock") || $0.contains("producer-consumer") }
        #expect(others.isEmpty == isAlone)
    }

    @Test(arguments: ["show", "run", "explore", "export", "diff"])
    func `such an example works`(command: String) throws {
        let lines = try Self.examples(command, true).filter { $0.contains("trouble") }
        #expect(!lines.isEmpty)
        // The second variant crashes, which is not expected of it.
        for line in lines {
            let words = line.split(separator: " ").dropFirst().map(String.init)
            let ended = try plugin(words).run()
            #expect(ended.code == 0 || ended.code == 1, "\(line): \(ended.errors)")
        }
    }

    @Test func `what the program suggests at the start is a scenario of its own`() throws {
        try plugin().run().succeeds().prints("\n  lab-plugin run trouble ").doesNotPrint("run deadlock")
        _ = try plugin("show", "trouble").run().succeeds()
    }

    /// The example lines of a command's help, without what explains them.
    private static func examples(_ command: String, _ isAlone: Bool) throws -> [String] {
        let invocation = plugin("help", command).wide
        let help = try (isAlone ? invocation.with("LAB_PLUGIN_ALONE", "1") : invocation).run().succeeds().output
        return help.split(separator: "\n").filter { $0.hasPrefix("  lab-plugin ") }.map { line in
            let text = line.dropFirst(2)
            return text.firstRange(of: "  ").map { String(text[..<$0.lowerBound]) } ?? String(text)
        }
    }
}
