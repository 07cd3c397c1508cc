import Exploration
import Foundation
import LabExecution
import LabSyntax
import Machine

/// How often executions of the programs in `Tests/Benchmarks/sct` fail under each random strategy, and how much this
/// varies with the seed.
enum BugSpread {
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

    private static func share(_ strategy: any Strategy, _ engine: Engine) -> Double {
        let failures = (0..<executions).count { number in
            _ = strategy.prepare(number)
            let verdict = strategy.execute(engine)
            return verdict == .assertion || verdict == .deadlock
        }
        return Double(failures) / Double(executions)
    }
}
