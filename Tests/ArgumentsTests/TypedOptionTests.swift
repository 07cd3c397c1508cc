import Testing

@testable import Arguments

@Suite struct TypedOptionTests {
    private enum Shape: String, CaseIterable { case round, square }

    private static let flag = TypedOption.flag("flag", "")
    private static let count = TypedOption.integer("count", default: 3, "")
    private static let limit = TypedOption.integer("limit", "")
    private static let seed = TypedOption.seed("seed", default: 4, "")
    private static let other = TypedOption.seed("other", "")
    private static let time = TypedOption.duration("time", default: "5ms", "")
    private static let text = TypedOption.text("text", "")
    private static let shape = TypedOption.choice("shape", default: Shape.round, "")
    private static let maybe = TypedOption.choice(
        "maybe", KnownWord("none", "neither"), or: Shape.allCases.map { (value: $0, help: "") }, "")
    private static let first = TypedPositional.one("FIRST", .text, "")
    private static let second = TypedPositional.oneOrNone("SECOND", .text, "")
    private static let rest = TypedPositional.any("REST", .text, "")

    private static let tool = Tool(
        "lab", version: "1", summary: "",
        commands: [
            Command(
                "do", "Do it", positionals: [first, second, rest],
                options: [flag, count, limit, seed, other, time, text, shape, maybe])
        ])

    private func arguments(_ line: String) throws -> ParsedArguments {
        guard case .command(let arguments) = try Self.tool.parse(Sample.words(line)) else { throw Sample.NotACommand() }
        return arguments
    }

    @Test func `what is given has the declaration's type`() throws {
        let arguments = try arguments(
            "do a b c d --flag --count 1 --limit 2 --seed 9 --other 8 --time 1s --text x --shape square --maybe round")
        #expect(arguments[Self.flag])
        #expect(arguments[Self.count] == 1)
        #expect(arguments[Self.limit] == 2)
        #expect(arguments[Self.seed] == 9)
        #expect(arguments[Self.other] == 8)
        #expect(arguments[Self.time] == 1_000_000_000)
        #expect(arguments[Self.text] == "x")
        #expect(arguments[Self.shape] == .square)
        #expect(arguments[Self.maybe] == .round)
        #expect(arguments[Self.first] == "a")
        #expect(arguments[Self.second] == "b")
        #expect(arguments[Self.rest] == ["c", "d"])
        #expect(arguments.isGiven(Self.count))
    }

    @Test func `what is not given is the default, or nil where there is none`() throws {
        let arguments = try arguments("do a")
        #expect(!arguments[Self.flag])
        #expect(arguments[Self.count] == 3)
        #expect(arguments[Self.limit] == nil)
        #expect(arguments[Self.seed] == 4)
        #expect(arguments[Self.other] == nil)
        #expect(arguments[Self.time] == 5_000_000)
        #expect(arguments[Self.text] == nil)
        #expect(arguments[Self.shape] == .round)
        #expect(arguments[Self.maybe] == nil)
        #expect(arguments[Self.second] == nil)
        #expect(arguments[Self.rest].isEmpty)
        #expect(!arguments.isGiven(Self.count))
    }
}
