import Authoring
import Scenarios
import Supervision
import Trace

/// Some scenarios have variants that measure how long work takes. This shows whether they measure what they say: on
/// real threads, with twice the work, their readings should be about twice as large.
enum MeasuredBenchmarks {
    /// A variant, and the option that sets the amount of its work.
    private struct Variant {
        let scenario: String
        /// The other options.
        let settings: [(name: String, value: String)]
        /// The name of the option for the amount of work.
        let option: String
        /// The values of the option for the work and for twice the work.
        let amounts: (once: String, twice: String)
        /// The prefixes of the names of the meters whose readings double.
        let meters: [String]

        /// Whether the work is computation, not waiting.
        var computes: Bool { ["size", "section", "additions"].contains(option) }
        /// The reading that counts. Of computations it is the least of many short rounds, in which a thread probably
        /// kept its processor: load of the machine can only lengthen them. Of waits, which can also end early, it is
        /// the median.
        var typical: ([Double]) -> Double { computes ? { $0.min() ?? 0 } : \.median }
        var rounds: Int { computes ? 31 : 9 }

        /// - Parameter line: the scenario's name and the other options, as on a command line.
        init(_ line: String, _ option: String, _ once: String, _ twice: String, _ meters: String...) {
            var words = line.split(separator: " ").map(String.init)
            scenario = words.removeFirst()
            settings = stride(from: 0, to: words.count, by: 2).map { (String(words[$0].dropFirst(2)), words[$0 + 1]) }
            self.option = option
            amounts = (once, twice)
            self.meters = meters
        }
    }

    private static let variants = [
        Variant(
            "too-small-to-thread --variant threads --pieces 8", "size", "100000", "200000", "time, in this thread",
            "time, a thread for each half", "time, a thread for each piece"),
        Variant(
            "too-small-to-thread --variant calls --pieces 8", "size", "100000", "200000", "time, in this thread",
            "time, one call for all pieces", "time, a call for each piece"),
        Variant(
            "spin-or-block --variant measured --rounds 11", "section", "200000", "400000", "round, spinning",
            "round, blocking"),
        Variant(
            "partition-measured --variant compare", "additions", "2000", "4000", "time, one lock",
            "time, a lock for each"),
        // With fewer additions, starting the threads takes longer than the counting.
        Variant(
            "partition-measured --variant own-parts", "additions", "3000000", "6000000", "time, each for itself"),
        Variant("seven-ways --variant measured --deliveries 5", "pause", "10ms", "20ms", "time, memory"),
        Variant("cancellation --variant measured", "chunk", "20ms", "40ms", "chunks of "),
        Variant("entry-routine --variant measured", "rounds", "30", "60", "memory, one pool"),
        Variant("atomic-property --variant measured", "hold", "50ms", "100ms", "time to set, same lock"),
        Variant("sync-async-mix --variant measured --reads 5", "work", "50ms", "100ms", "time of a read, mixed"),
        Variant(
            "backpressure --variant measured --images 5", "work", "5ms", "10ms", "time without a limit",
            "time with a limit"),
    ]

    static func run() throws {
        print("\nvariants that measure: the work, and twice as much of it (µs or kB: medians, and the least for work)")
        for variant in variants { try run(variant) }
    }

    /// Alternates between the work and twice the work, and prints for each meter both readings and their ratio.
    private static func run(_ variant: Variant) throws {
        var once: [[Double]] = variant.meters.map { _ in [] }
        var twice = once
        for _ in 0..<variant.rounds {
            for (index, value) in try readings(of: variant, variant.amounts.once).enumerated() {
                once[index].append(value)
            }
            for (index, value) in try readings(of: variant, variant.amounts.twice).enumerated() {
                twice[index].append(value)
            }
        }
        let words = variant.settings.map { " --\($0.name) \($0.value)" }.joined()
        print("  \(variant.scenario)\(words) --\(variant.option) \(variant.amounts.once), \(variant.amounts.twice)")
        for (index, meter) in variant.meters.enumerated() {
            let (first, second) = (variant.typical(once[index]), variant.typical(twice[index]))
            print(
                "    \(meter.padded(to: 34))\(decimal(first / 1000).padded(to: 12, right: true))"
                    + "\(decimal(second / 1000).padded(to: 12, right: true))   \(decimal(second / first, 2)) x")
        }
    }

    /// Runs the variant once with this amount of work. Returns the greatest reading of each meter, in nanoseconds or
    /// bytes.
    private static func readings(of variant: Variant, _ amount: String) throws -> [Double] {
        let scenario = Catalogue.builtIn.first { $0.name == variant.scenario }!.init()
        for (name, value) in variant.settings + [(variant.option, amount)] {
            precondition(
                scenario.set(name, to: value, beyondRange: true),
                "no parameter \(name) of \(variant.scenario) can be \(value)")
        }
        // The time limit is ten minutes.
        let trace = try Supervisor.run(RunPlan(ScenarioProgram(scenario), .native, timeout: 600_000_000_000)).trace
        guard trace.outcome?.kind == .completed else { fatalError("\(variant.scenario) did not complete") }
        return variant.meters.map { meter in
            let isRead = { (event: Event) in
                event.kind.isReading && trace.object(event.object)?.name.hasPrefix(meter) == true
            }
            // Of several meters with the prefix, the one that is read first counts.
            guard let first = trace.events.first(where: isRead)?.object else { fatalError("no meter \(meter)") }
            return Double(trace.events.filter { $0.kind.isReading && $0.object == first }.map(\.value).max() ?? 0)
        }
    }
}
