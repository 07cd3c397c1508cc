import CLitmus
import Glibc

/// Runs a program on real threads, unrecorded, in many rounds: each is one execution, of usually less than a
/// microsecond. The outcomes show what the processor's memory does.
package struct LitmusRun {
    package struct Plan: Sendable {
        package var rounds = 1_000_000
        /// Whether each thread has a processor of its own, as far as there are enough.
        package var isPinned = true
        /// The seed of the delays before rounds, and of `choose`.
        package var seed: UInt64 = 1
        /// The time limit of a loop in one round, in nanoseconds.
        package var loopTime: UInt64 = 50_000_000

        package init() {}
    }

    package struct Result: Sendable {
        package let histogram: Histogram
        /// The duration in nanoseconds, including the start of the threads.
        package let time: UInt64
    }

    /// Why a run could not start, for example because the system cannot provide the threads or the memory.
    package struct Failed: Error, CustomStringConvertible {
        /// The reason, in most cases the system's.
        package let reason: String

        package var description: String { reason }
    }

    /// The number of processors that the process may use.
    package static var processors: Int { Int(clitmus_processors()) }

    /// Runs the rounds until all are done or `mustStop` returns true.
    ///
    /// - Parameter mustStop: called about every millisecond, with the number of rounds done.
    package static func run(
        _ program: LitmusProgram, _ plan: Plan, mustStop: (_ rounds: Int) -> Bool
    ) throws(Failed) -> Result {
        let begin = now()
        let native = NativeProgram(program)
        guard clitmus_is_valid(native.program) != 0 else { throw Failed(reason: "its code is not valid") }
        var options = clitmus_options()
        options.rounds = UInt64(max(0, plan.rounds))
        options.seed = plan.seed
        options.isPinned = plan.isPinned ? 1 : 0
        options.loopTime = plan.loopTime
        var failure: Int32 = 0
        guard let run = clitmus_start(native.program, &options, &failure) else {
            throw Failed(reason: String(cString: strerror(failure)))
        }
        // The threads use the program's memory until they are joined.
        defer { withExtendedLifetime(native) { clitmus_free(run) } }
        while clitmus_is_over(run) == 0 {
            var pause = timespec(tv_sec: 0, tv_nsec: millisecond)
            nanosleep(&pause, nil)
            if mustStop(Int(clitmus_rounds(run))) { clitmus_stop(run) }
        }
        clitmus_join(run)
        return Result(histogram: histogram(run, width: program.observed.count), time: now() - begin)
    }

    private static func histogram(_ run: OpaquePointer, width: Int) -> Histogram {
        let rows = (0..<clitmus_rows(run)).map { number in
            let row = clitmus_row_at(run, number)
            let values = UnsafeBufferPointer(start: row.values, count: width).map { Int($0) }
            return Histogram.Row(LitmusOutcome(Ending(row.ending), values), count: Int(row.count))
        }
        return Histogram(rows, others: Int(clitmus_others(run)))
    }

    /// In nanoseconds.
    private static let millisecond = 1_000_000

    /// The time on the monotonic clock, in nanoseconds.
    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// A program in memory that the runner's threads read. It is freed with this object.
private final class NativeProgram {
    let program: UnsafeMutablePointer<clitmus_program>
    private var memory: [UnsafeMutableRawPointer] = []

    init(_ litmus: LitmusProgram) {
        program = .allocate(capacity: 1)
        program.initialize(to: clitmus_program())
        program.pointee.threads = UnsafePointer(copy(litmus.bodies.map(body)))
        program.pointee.threadCount = UInt32(litmus.bodies.count)
        program.pointee.finally = body(litmus.finally)
        program.pointee.instanceBytes = UInt32(litmus.bytes)
        let cells = litmus.cells.map { clitmus_cell(offset: UInt32($0.offset), value: Int64($0.value)) }
        program.pointee.cells = UnsafePointer(copy(cells))
        program.pointee.cellCount = UInt32(cells.count)
        program.pointee.observed = UnsafePointer(copy(litmus.observedOffsets.map { UInt32($0) }))
        program.pointee.observedCount = UInt32(litmus.observedOffsets.count)
    }

    deinit {
        program.deallocate()
        for memory in memory { memory.deallocate() }
    }

    private func body(_ code: Code) -> clitmus_body {
        let instructions = code.encoded
        return clitmus_body(
            code: UnsafePointer(copy(instructions)), length: UInt32(instructions.count),
            constants: UnsafePointer(copy(code.constants.map { Int64($0) })),
            constantCount: UInt32(code.constants.count), registerCount: UInt32(code.registers))
    }

    /// Copies elements to memory that `deinit` frees. They contain no references, so they need not be deinitialized.
    private func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        pointer.initialize(from: elements, count: elements.count)
        memory.append(UnsafeMutableRawPointer(pointer))
        return pointer
    }
}
