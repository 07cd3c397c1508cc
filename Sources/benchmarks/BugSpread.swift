import Exploration
import Foundation
import LabExecution
import LabSyntax
import Machine

/// `benchmarks sct spread`: how often executions of the programs in `Tests/Benchmarks/sct` fail under each random
/// strategy, and how much that varies with the seed. Prints the least, median and greatest number of failures in 1000
/// executions.
enum BugSpread {
    /// The number of executions with each seed.
    private static let executions = 5000
    private static let seeds: ClosedRange<UInt64> = 1...20

    static func run() throws {
        let strategies = StrategyUnderTest.all.filter(\.isRandom)
        print((["program"] + strategies.map(\.name)).joined(separator: "  "))
        for published in PublishedFigures.all {
            let engine = try BugTable.engine(published.program)
            let words = strategies.map { strategy in
                let shares = seeds.map { share(strategy.make($0, engine.rules), engine) }.sorted()
                return [shares[0], shares.median, shares[shares.count - 1]].map { decimal($0 * 1000, 1) }
                    .joined(separator: "/")
            }
            print(([published.program.padded(to: 22)] + words).joined(separator: "  "))
        }
    }

    /// The share of executions that fail.
    private static func share(_ strategy: any Strategy, _ engine: Engine) -> Double {
        let failures = (0..<executions).count { number in
            _ = strategy.prepare(number)
            let verdict = strategy.execute(engine)
            return verdict == .assertion || verdict == .deadlock
        }
        return Double(failures) / Double(executions)
    }
}
