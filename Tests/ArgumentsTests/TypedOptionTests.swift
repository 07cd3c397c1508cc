import Testing

@testable import Arguments

@Suite struct TypedOptionTests {
    private enum Shape: String, CaseIterable { case round, square }

    /// Options that another command could also have.
    private struct Part: OptionGroup {
        let text = TypedOption.text("text", "")
        let shape = TypedOption.choice("shape", default: Shape.round, "")

        var exclusive: [[any OptionDeclaration]] { [[text, shape]] }
    }

    private struct Options: OptionGroup {
        let first = TypedPositional.one("FIRST", .text, "")
        let second = TypedPositional.oneOrNone("SECOND", .text, "")
        let rest = TypedPositional.any("REST", .text, "")
        let flag = TypedOption.flag("flag", "")
        let count = TypedOption.integer("count", default: 3, "")
        let limit = TypedOption.integer("limit", "")
        let seed = TypedOption.seed("seed", default: 4, "")
        let other = TypedOption.seed("other", "")
        let time = TypedOption.duration("time", default: "5ms", "")
        let part = Part()
        let maybe = TypedOption.choice(
            "maybe", KnownWord("none", "neither"), or: Shape.allCases.map { (value: $0, help: "") }, "")

        var exclusive: [[any OptionDeclaration]] { [[seed, other]] }
    }

    private static let command = TypedCommand("do", "Do it", options: Options())
    private static let tool = Tool("lab", version: "1", summary: "", commands: [command.command])

    private func arguments(_ line: String) throws -> TypedArguments<Options> {
        guard case .command(let parsed) = try Self.tool.parse(Sample.words(line)) else { throw Sample.NotACommand() }
        return Self.command.read(parsed)
    }

    @Test func `what is given has the declaration's type`() throws {
        let arguments = try arguments(
            "do a b c d --flag --count 1 --limit 2 --seed 9 --time 1s --shape square --maybe round")
        #expect(arguments.flag)
        #expect(arguments.count == 1)
        #expect(arguments.limit == 2)
        #expect(arguments.seed == 9)
        #expect(arguments.time == 1_000_000_000)
        #expect(arguments.part.shape == .square)
        #expect(arguments.maybe == .round)
        #expect(arguments.first == "a")
        #expect(arguments.second == "b")
        #expect(arguments.rest == ["c", "d"])
        #expect(arguments.isGiven(\.count))
    }

    @Test func `what is not given is the default, or nil where there is none`() throws {
        let arguments = try arguments("do a")
        #expect(!arguments.flag)
        #expect(arguments.count == 3)
        #expect(arguments.limit == nil)
        #expect(arguments.seed == 4)
        #expect(arguments.other == nil)
        #expect(arguments.time == 5_000_000)
        #expect(arguments.part.text == nil)
        #expect(arguments.part.shape == .round)
        #expect(arguments.maybe == nil)
        #expect(arguments.second == nil)
        #expect(arguments.rest.isEmpty)
        #expect(!arguments.isGiven(\.count))
    }

    @Test func `the properties of the options are the command's list, in their order`() throws {
        let command = Self.command.command
        #expect(command.positionals.map(\.name) == ["FIRST", "SECOND", "REST"])
        let names = ["flag", "count", "limit", "seed", "other", "time", "text", "shape", "maybe"]
        #expect(command.options.map(\.name) == names)
        #expect(command.exclusive == [["text", "shape"], ["seed", "other"]])
        #expect(throws: ArgumentError.exclusive("--text", "--shape")) { try arguments("do a --text x --shape round") }
        #expect(try arguments("do a --other 8 --text x").other == 8)
        #expect(try arguments("do a --shape square --count 2").given.map(\.name) == ["count", "shape"])
        #expect(try arguments("do a --text x --count 2").part.given.map(\.name) == ["text"])
    }
}
