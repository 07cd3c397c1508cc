import Testing

/// `threadlab costs`
@Suite struct CostsTests {
    @Test func `each cost has a figure for each contender, and the guide's beside it`() throws {
        let table = try threadlab("costs").with("COLUMNS", "80").run().succeeds()
        table.prints("create a thread and join it (the guide: creation: about 90 µs)\n  pthread ")
            .prints("\n  Synchronization ").prints("\n  Dispatch ").prints("an iMac with a 2 GHz Core Duo")
        #expect(table.lines.allSatisfy { $0.count <= 80 })
        let figures = table.output.matches(of: /\n  threadlab +(\d+\.\d) (ns|µs|ms)  █+  \d+\.\d x/)
        #expect(figures.count >= 10 && !figures.contains { $0.output.1 == "0.0" })
    }

    @Test func `for scripts it is JSON`() throws {
        let table = try threadlab("costs", "--format", "json").run().succeeds().isSilent()
        #expect(isJSON(table.output))
        table.prints("\"unit\":\"bytes\"").prints("\"guide\":\"about 0.2 µs\"").prints("\"figures\":{\"pthread\":")
    }
}
