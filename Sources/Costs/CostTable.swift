import CBench
import Execution
import Primitives
import Trace

/// What threads and their primitives cost on this machine.
package enum CostTable {
    /// The machine on which the guide's figures were measured.
    package static let guideMachine = "an iMac with a 2 GHz Core Duo processor and 1 GB of memory, OS X 10.5"

    /// - Parameter progress: receives the name of each operation before it is measured.
    package static func measure(progress: (String) -> Void) throws -> [CostRow] {
        // With a second thread the process pays for real synchronization: glibc skips some of it in a process of one
        // thread.
        let company = cbench_company_start()
        defer { cbench_company_end(company) }
        let timed = try (ThreadCosts.all + LockCosts.all + QueueCosts.all + MemoryCosts.all).map { cost in
            progress(cost.name)
            return try cost.measure()
        }
        progress("memory")
        return timed + ThreadMemory.rows
    }
}

/// What one operation costs, done in several ways, beside what the threading guide says of it.
package struct CostRow: Sendable {
    package enum Unit: String, Sendable { case nanoseconds, bytes }

    package struct Figure: Sendable {
        /// Whose operation it is: `pthread`, `threadlab`, …
        package let contender: String
        package let value: Double
    }

    package let name: String
    package let unit: Unit
    /// The others are compared with the first figure.
    package let figures: [Figure]
    /// What the guide says, in its words. Nil: nothing.
    package let guide: String?
}

/// An operation that is timed, done by several contenders in turn, so that other load on the machine affects all
/// equally.
struct TimedCost {
    struct Contender {
        let name: String
        /// Does the operation this many times, and returns the time in nanoseconds.
        let time: (_ count: Int) throws -> UInt64
    }

    let name: String
    /// The number of operations in a round.
    let count: Int
    /// The number of operations in one repetition.
    var operations = 1
    var guide: String?
    let contenders: [Contender]

    private static let rounds = 7

    /// The medians of all rounds but the first, which warms up.
    func measure() throws -> CostRow {
        var times = [[Double]](repeating: [], count: contenders.count)
        for round in 0...Self.rounds {
            for (index, contender) in contenders.enumerated() {
                let time = Double(try contender.time(count)) / Double(count * operations)
                if round > 0 { times[index].append(time) }
            }
        }
        let figures = zip(contenders, times).map { contender, times in
            CostRow.Figure(contender: contender.name, value: times.sorted()[times.count / 2])
        }
        return CostRow(name: name, unit: .nanoseconds, figures: figures, guide: guide)
    }
}

/// Runs a measurement in a native run that is recorded like any other.
enum MeasuredRun {
    static func of(_ body: () throws -> UInt64) throws -> UInt64 {
        let runtime = NativeRuntime(recorder: Recorder(memory: try RecordingMemory(.anonymous)))
        var time: UInt64 = 0
        runtime.run { time = try body() }
        precondition(time > 0, "the run ended before its measurement did")
        return time
    }
}

/// The time that the body takes, in nanoseconds.
func nanoseconds(_ body: () throws -> Void) rethrows -> UInt64 {
    let begin = cbench_now()
    try body()
    return cbench_now() - begin
}

/// One operation of a primitive of threadlab.
typealias LabOperation = @Sendable () throws -> Void

/// A contender that measures threadlab on real threads.
///
/// - Parameter make: makes the primitive, in the run.
func lab(named name: String = "threadlab", _ make: @escaping @Sendable () throws -> LabOperation) -> TimedCost.Contender
{
    .init(name: name) { count in
        try MeasuredRun.of {
            let operation = try make()
            return try nanoseconds { for _ in 0..<count { try operation() } }
        }
    }
}

/// A contender in which two threads use one primitive at once.
func contendedLab(_ make: @escaping @Sendable () throws -> LabOperation) -> TimedCost.Contender {
    .init(name: "threadlab") { count in
        try MeasuredRun.of {
            let operation = try make()
            return try nanoseconds {
                let other = try Thread("other") { for _ in 0..<count { try operation() } }
                for _ in 0..<count { try operation() }
                try other.join()
            }
        }
    }
}

/// The time that the body takes in two plain threads at once, in nanoseconds.
func inBothThreads(_ body: @escaping @Sendable () -> Void) -> UInt64 {
    let box = Body(body)
    return withExtendedLifetime(box) {
        cbench_both(
            { Unmanaged<Body>.fromOpaque($0!).takeUnretainedValue().run() }, Unmanaged.passUnretained(box).toOpaque())
    }
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
