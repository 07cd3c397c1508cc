import CBench
import Execution
import Primitives
import Trace

/// Measures what threads and their primitives cost on this machine: operations of threadlab beside the same operations
/// of POSIX, C11 and Swift's libraries.
package enum CostTable {
    /// The machine on which the figures of Apple's Threading Programming Guide (*the guide*) were measured.
    package static let guideMachine = "an iMac with a 2 GHz Core Duo processor and 1 GB of memory, OS X 10.5"

    /// - Parameter progress: receives the name of each operation before it is measured.
    package static func measure(progress: (String) -> Void) throws -> [CostRow] {
        // A second thread, which only waits: in a process with a single thread, glibc leaves out some synchronization.
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

/// What one operation costs if it is done in several ways, and what the guide says of it.
package struct CostRow: Sendable {
    package enum Unit: String, Sendable { case nanoseconds, bytes }

    package struct Figure: Sendable {
        /// The library whose operation it is: `pthread`, `threadlab`, …
        package let contender: String
        package let value: Double
    }

    package let name: String
    package let unit: Unit
    /// One figure for each contender. Reports compare the others with the first one.
    package let figures: [Figure]
    /// What the guide says about the cost. Nil: nothing.
    package let guide: String?
}

/// An operation that is timed, done by several contenders in turn, so that other load on the machine affects all
/// equally.
struct TimedCost {
    struct Contender {
        let name: String
        /// Does the work `count` times, and returns the total time in nanoseconds.
        let time: (_ count: Int) throws -> UInt64
    }

    let name: String
    /// How often a contender does its work in a round.
    let count: Int
    /// The number of operations in that work: 2, for example, if two threads each do one.
    var operations = 1
    var guide: String?
    let contenders: [Contender]

    /// The number of rounds that count.
    private static let rounds = 7

    /// The median time of one operation for each contender, over all rounds but the first, which warms up.
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

/// Measures threadlab in a native run that is recorded like any other, so that the cost of recording is included.
enum MeasuredRun {
    /// The result of the body, a time in nanoseconds.
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

/// A contender that measures threadlab on a single thread.
///
/// - Parameter make: makes the primitive within the run, and returns its operation.
func lab(named name: String = "threadlab", _ make: @escaping @Sendable () throws -> LabOperation) -> TimedCost.Contender
{
    .init(name: name) { count in
        try MeasuredRun.of {
            let operation = try make()
            return try nanoseconds { for _ in 0..<count { try operation() } }
        }
    }
}

/// A contender that measures threadlab while two threads use the same primitive.
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

/// An object that holds a closure, for C code that takes a pointer.
private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
