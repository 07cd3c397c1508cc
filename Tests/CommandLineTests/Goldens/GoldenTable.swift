import Support
import Synchronization
import Testing

/// A file with a row for each program, and columns that tabs separate: the first row names them.
struct GoldenTable: CustomTestStringConvertible, Sendable {
    let name: String
    /// Without the first, which has the program: what follows `explore` on the command line.
    let columns: [String]
    /// In the order of the rows.
    let programs: [String]

    var testDescription: String { name }

    var path: String { "\(Goldens.folder)/\(name).tsv" }

    static let all = [variants, sizes, schedules, accounts, states, suggestions]

    /// What the search for a failure of a broken variant ends at.
    static let schedules = GoldenTable(
        name: "schedules", columns: ["preemptions", "steps", "schedule"],
        programs: VariantCall.broken.map(\.words))

    /// The accounts of these failures: each step with its thread and line, those that show the failure with a mark.
    static let accounts = GoldenTable(
        name: "accounts", columns: ["account"], programs: VariantCall.broken.map(\.words))

    /// Proofs of fixed variants with other parameters than the default ones.
    static let sizes = GoldenTable(
        name: "sizes", columns: ["traces"],
        programs: VariantCall.fixed.map(\.words).filter { $0.split(separator: " ").count > 3 })

    /// All traces of each variant with its default parameters.
    static let variants = GoldenTable(
        name: "variants", columns: ["ends in", "traces"], programs: SearchedVariants.programs)

    /// Searches by states.
    static let states = GoldenTable(
        name: "states", columns: ["states", "moves"], programs: StateCountTests.programs)

    /// Changes of broken programs. The proof is empty if none is proved.
    static let suggestions = GoldenTable(
        name: "suggestions", columns: ["suggestion", "proof"], programs: SuggestedChangeTests.programs)

    /// The file's rows.
    var rows: [(program: String, values: [String])] {
        (Repository.text(of: path) ?? "").split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return (cells[0], Array(cells.dropFirst()))
        }
    }

    /// The values in the file; empty if there is no such row.
    func values(of program: String) -> [String] { rows.first { $0.program == program }?.values ?? [] }

    private var head: String { (["program"] + columns).joined(separator: "\t") }

    /// Compares the row of a program, or writes it.
    func compare(
        _ program: String, _ values: [some StringProtocol], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        precondition(programs.contains(program) && values.count == columns.count)
        let (now, then) = (values.map { String($0) }, self.values(of: program))
        if now == then { return }
        if Goldens.areWritten { return try write([program: now], sourceLocation: sourceLocation) }
        Goldens.reject(
            "\(path), \(program) (\(columns.joined(separator: ", ")))", is: now.joined(separator: "  "),
            expected: then.isEmpty ? nil : then.joined(separator: "  "), sourceLocation: sourceLocation)
    }

    /// Compares the head and the programs of all rows, or writes those that are left.
    func comparePrograms(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let head = Repository.text(of: path)?.split(separator: "\n").first.map(String.init)
        if head == self.head, rows.map(\.program) == programs { return }
        if Goldens.areWritten { return try write([:], sourceLocation: sourceLocation) }
        #expect(head == self.head, "\(path): 'make goldens' writes it")
        #expect(rows.map(\.program) == programs, "\(path): 'make goldens' writes it")
    }

    /// Tests run side by side, and each writes its row.
    private static let turn = Mutex(())

    private func write(_ changed: [String: [String]], sourceLocation: SourceLocation) throws {
        try Self.turn.withLock { _ in
            let values = Dictionary(rows.map { ($0.program, $0.values) }) { $1 }.merging(changed) { $1 }
            let lines = programs.compactMap { program in
                values[program].map { ([program] + $0).joined(separator: "\t") }
            }
            try Goldens.write(
                path, ([head] + lines).map { $0 + "\n" }.joined(), sourceLocation: sourceLocation)
        }
    }
}

@Suite struct GoldenTableTests {
    @Test(arguments: GoldenTable.all) func `a table has a row for each program, and no other`(table: GoldenTable) throws
    {
        try table.comparePrograms()
    }
}
