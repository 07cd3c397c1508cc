import Testing

@testable import Arguments

@Suite struct OptionListTests {
    private enum Shape: String, CaseIterable { case round, square }

    /// Options that another command could also have.
    private struct Part: OptionGroup {
        let text: Listed<String?>
        let shape: Listed<Shape>

        init(_ list: inout OptionList) {
            text = list.text("text", "")
            shape = list.choice("shape", default: .round, "")
            list.exclude([[text, shape]])
        }
    }

    private struct Options: OptionGroup {
        let first: Listed<String>
        let second: Listed<String?>
        let rest: Listed<[String]>
        let flag: Listed<Bool>
        let count: Listed<Int>
        let limit: Listed<Int?>
        let seed: Listed<UInt64>
        let other: Listed<UInt64?>
        let time: Listed<UInt64>
        let part: ListedGroup<Part>
        let maybe: Listed<Shape?>

        init(_ list: inout OptionList) {
            first = list.one("FIRST", .text, "")
            second = list.oneOrNone("SECOND", .text, "")
            rest = list.any("REST", .text, "")
            flag = list.flag("flag", "")
            count = list.integer("count", default: 3, "")
            limit = list.integer("limit", "")
            seed = list.seed("seed", default: 4, "")
            other = list.seed("other", "")
            time = list.duration("time", default: "5ms", "")
            part = list.group()
            maybe = list.choice("maybe", KnownWord("none", "neither"), or: Shape.allCases.map { ($0, "") }, "")
            list.exclude([[seed, other]])
        }
    }

    private static let command = TypedCommand<Options>("do", "Do it")
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

    @Test func `what is listed is declared, in its order`() throws {
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
