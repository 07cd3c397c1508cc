import Authoring
import Scenarios
import Support
import Testing

/// The ends of the parameters' ranges on real threads, where they take little time; `ScenariosTests` has all of them under
/// the scheduler, and compares the time that a run takes there with the time that it may take.
@Suite struct RangeTests {
    /// By scenario, its settings that take at most a tenth of a second, as typed after `run`.
    static let lines = Catalogue.builtIn.map { type in
        (name: type.name, lines: RangeEnds.lines(of: type).filter { isQuick($0, type) })
    }

    private static func isQuick(_ line: String, _ type: any Scenario.Type) -> Bool {
        let scenario = type.init()
        var words = line.split(separator: " ").dropFirst()
        while let option = words.popFirst(), let value = words.popFirst() {
            guard scenario.set(String(option.dropFirst(2)), to: String(value)) else { return false }
        }
        // What may continue forever does so until the time limit.
        let mayEnd = !scenario.expectation.allows(.timeout, on: .native)
        return mayEnd && scenario.expectedDuration <= .milliseconds(100) && scenario.expectedSteps <= 20_000
    }

    private static func run(_ line: String) -> Invocation {
        let words = ["run"] + line.split(separator: " ").map(String.init) + ["--native", "--format", "none"]
        return Invocation(program: Programs.threadlab, arguments: words)
    }

    @Test(arguments: Extent.part(of: lines.map(\.name), every: 3)) func `a run on real threads is not cut off`(
        name: String
    ) throws {
        for line in Self.lines.first(where: { $0.name == name })?.lines ?? [] {
            let run = try Self.run(line).run()
            #expect(!run.output.hasPrefix("timeout"), "\(line)")
        }
    }

    @Test(arguments: ["stack-size"]) func `what exists on real threads only ends as its variant says`(name: String)
        throws
    {
        for line in Self.lines.first(where: { $0.name == name })?.lines ?? [] {
            try Self.run(line).run().succeeds()
        }
    }

    @Test func `there are settings of most scenarios`() {
        #expect(Self.lines.count { !$0.lines.isEmpty } > 35)
    }
}
