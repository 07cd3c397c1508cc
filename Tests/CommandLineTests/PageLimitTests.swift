import Support
import Testing

/// Limits that pages of docs/ state, compared with the declarations that set them.
@Suite struct PageLimitTests {
    /// Words of a page, and a declaration: each has the number at `#`.
    struct Limit: CustomTestStringConvertible {
        let page, words, file, declaration: String

        init(_ page: String, _ words: String, _ file: String, _ declaration: String) {
            self.page = page
            self.words = words
            self.file = file
            self.declaration = declaration
        }

        var testDescription: String { "\(page): \(words)" }
    }

    static let limits = [
        Limit("views", "A page has the last # steps", "Reports/HTML/PageData.swift", "var steps = #"),
        Limit("views", "a print has up to # rows", "Reports/HTML/Template/page.js", "begin + (everything ? #"),
        Limit(
            "views", "A page has at most # states", "RunCommands/Export/PagedProgram.swift",
            "static let mostStates = #"),
        Limit("views", "the newest #, and", "Supervision/Runs/RunPlan.swift", "case shown = #"),
        Limit("views", "with `--save` #.", "Supervision/Runs/RunPlan.swift", "case saved = #"),
        Limit(
            "views", "of a small program, at most #,", "RunCommands/Export/GraphvizFile.swift",
            "static let mostStates = #"),
        Limit("views", "the last # steps before", "Reports/Graphs/RunGraph+Kinds.swift", "static let mostSteps = #"),
        Limit("views", "the last # operations", "Reports/Graphs/RunGraph+Reads.swift", "static let mostOperations = #"),
        Limit("views", "more than # arrows", "Reports/Graphs/RunGraph.swift", "static let mostArrows = #"),
        Limit("views", "A file ends at # MB", "Reports/Exports/ExportLimits.swift", "static let bytes = #"),
        Limit("views", "draws up to #, and", "Reports/Exports/ExportLimits.swift", "static let rows = #"),
        Limit("views", "of more than # rows", "Reports/Exports/LaneDrawing.swift", "static let mostRows = #"),
        Limit("views", "at most # pictures", "Reports/Exports/Film/FilmCast.swift", "static let mostSteps = #"),
        Limit("views", "At most # threads", "Reports/Exports/Film/FilmCast.swift", "static let mostThreads = #"),
        Limit("views", "and # objects are", "Reports/Exports/Film/FilmCast.swift", "static let mostObjects = #"),
        Limit(
            "usage", "of more than # rows", "Console/Session/SharedOptions.swift",
            "static let mostRows = #"),
        Limit(
            "ci", "and # executions showed", "Supervision/Check/ControlledSearch.swift", "static let longestQuiet = #"),
        Limit("ci", "has recorded # events", "Supervision/Check/NativeTrials.swift", "static let mostEvents = #"),
        Limit("ci", "up to # random runs", "Supervision/Search/RandomRuns.swift", "return min(#"),
        Limit(
            "ci", "at most # new tasks", "SearchCommands/Divided/SearchTask.swift", "static let mostOfRest = #"),
        Limit(
            "usage", "whose rows are more than #", "Reports/Steps/RowExcerpt.swift",
            "static let mostLinesOfWhole = #"),
        Limit("tasks", "at most # executions", "Judging/TaskVerdict.swift", "static let mostExecutions = #"),
        Limit("tasks", "at most # steps", "Judging/TaskVerdict.swift", "static let mostSteps = #"),
        Limit("tasks", "and # MiB", "Judging/TaskVerdict.swift", "static let mostMemory = #"),
        Limit("specifications", "at most # calls", "Histories/LegalOrder.swift", "static var mostCalls: Int { #"),
    ]

    @Test(arguments: limits) func `a limit is the one that the code has`(limit: Limit) throws {
        let page = try #require(Repository.text(of: "docs/\(limit.page).md"))
        let words = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let code = try #require(Repository.text(of: "Sources/\(limit.file)"))
        let stated = try #require(Self.number(at: limit.words, in: words))
        let declared = try #require(Self.number(at: limit.declaration, in: code))
        #expect(stated == (limit.words.contains("# M") ? declared >> 20 : declared))
    }

    /// The number at `#`, such as `20,000`, `20_000` or `1 << 28`, if the text has one such place.
    private static func number(at mark: String, in text: String) -> Int? {
        let parts = mark.split(separator: "#", omittingEmptySubsequences: false)
        var rest = text[...]
        var found: Set<Int> = []
        while let start = rest.firstRange(of: parts[0]) {
            rest = rest[start.upperBound...]
            guard let digits = rest.prefixMatch(of: /[0-9](?:[0-9_,]*[0-9])?/)?.output else { continue }
            let after = rest[digits.endIndex...]
            guard var value = Int(digits.filter(\.isNumber)), after.hasPrefix(parts[1]) else { continue }
            if after.hasPrefix(" << ") { value <<= Int(after.dropFirst(4).prefix(while: \.isNumber)) ?? 0 }
            found.insert(value)
        }
        return found.count == 1 ? found.first : nil
    }
}
