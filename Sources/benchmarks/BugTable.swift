import Exploration
import Foundation
import LabExecution
import LabProgram
import LabSyntax
import Machine

/// `benchmarks sct`: the number of executions that each strategy needs to find the bug of each program in
/// `Tests/Benchmarks/sct`, beside the published numbers of other tools, as a Markdown table for the README there. Must
/// be run in the repository's root.
enum BugTable {
    /// The maximum number of executions with a seed.
    private static let limit = 10_000
    private static let seeds: ClosedRange<UInt64> = 1...20

    static func run() throws {
        let names = StrategyUnderTest.all.map(\.name)
        let others = ["*random walk*", "*PCT-3*", "*POS*", "*SURW*", "*RFF*", "*PERIOD*"]
        printRow(["program"] + names + others)
        printRow(["---"] + (names + others).map { _ in "--:" })
        for published in PublishedFigures.all {
            let engine = try engine(published.program)
            let ours = StrategyUnderTest.all.map { word(for: $0, engine) }
            let theirs = [
                published.randomWalk, published.pct3, published.pos, published.surw, published.rff, published.period,
            ].map { $0.map { decimal($0, 0) } ?? "–" }
            printRow(["`\(published.program)`"] + ours + theirs)
        }
    }

    private static func printRow(_ cells: [String]) { print("| " + cells.joined(separator: " | ") + " |") }

    /// The program, ready to be executed.
    static func engine(_ program: String) throws -> Engine {
        let path = "Tests/Benchmarks/sct/\(program).lab"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        guard let read = SourceText(name: path, text).read().program else {
            preconditionFailure("\(path) is not valid")
        }
        return Engine(try read.compiled())
    }

    /// The median over all seeds. If not all found the bug, also how many did, and without a median if at most half
    /// did.
    private static func word(for strategy: StrategyUnderTest, _ engine: Engine) -> String {
        let seeds = strategy.isRandom ? Array(seeds) : [1]
        let counts = seeds.map { executionsToFinding(strategy.make($0, engine.rules), engine) }
        let found = counts.compactMap { $0 }
        if found.isEmpty { return "–" }
        let median = decimal(counts.map { Double($0 ?? limit + 1) }.median, 0)
        if found.count == seeds.count { return median }
        return (found.count * 2 > seeds.count ? median : "> \(limit)") + " (\(found.count) of \(seeds.count))"
    }

    /// The number of the first execution that fails, from 1. Nil: none within the limit. Data races do not count,
    /// because the known bugs of these programs are other failures.
    private static func executionsToFinding(_ strategy: any Strategy, _ engine: Engine) -> Int? {
        var number = 0
        while number < limit && strategy.prepare(number) {
            let verdict = strategy.execute(engine)
            number += 1
            if verdict == .assertion || verdict == .deadlock { return number }
        }
        return nil
    }
}
