import CLab
import Glibc
import Synchronization

/// Writes a recording: the events of a run's threads, in memory that a reader can read at any time.
///
/// Its methods can be called on any thread. After a `fork`, the child continues the recording, and the parent reads it.
package final class Recorder: @unchecked Sendable {
    package let memory: RecordingMemory
    package let clock: RecordingClock
    /// The monotonic clock at the start of the recording, in nanoseconds: its time zero.
    package var start: UInt64 { memory.load(RecordingLayout.Header.startNanoseconds) }

    private let names: NameArea
    /// The cursor of each lane. It is created with the lane and freed with the recorder.
    private let cursors: Cursors
    /// The lane of all threads for which there are no more lanes. It drops every event.
    package let surplusLane: Lane
    private typealias Cursors = UnsafeMutablePointer<UnsafeMutablePointer<LaneCursor>?>
    /// The number of cursors: one for each lane, and one for the surplus lane.
    private static let cursorLimit = RecordingLayout.LaneRecord.limit + 1

    package init(memory: RecordingMemory, clock: RecordingClock = .best, order: LaneOrder = .byTime) {
        self.memory = memory
        self.clock = clock
        names = NameArea(memory: memory)
        cursors = .allocate(capacity: Self.cursorLimit)
        cursors.initialize(repeating: nil, count: Self.cursorLimit)
        Self.writeHeader(memory, clock, order)
        surplusLane = Self.makeLane(nil, memory, clock, cursors)
    }

    deinit {
        for index in 0..<Self.cursorLimit {
            cursors[index]?.pointee.releaseSupply()
            cursors[index]?.deallocate()
        }
        cursors.deallocate()
    }

    /// Makes a lane, for one thread or for all threads of a run that takes one step at a time.
    package func makeLane() -> Lane {
        let number = memory.word(RecordingLayout.Header.laneCount).pointee.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < UInt64(RecordingLayout.LaneRecord.limit) else { return surplusLane }
        return Self.makeLane(Int(number), memory, clock, cursors)
    }

    private static func makeLane(
        _ number: Int?, _ memory: RecordingMemory, _ clock: RecordingClock, _ cursors: Cursors
    ) -> Lane {
        let supply = ChunkSupply(memory: memory, lane: number, clock: clock)
        let cursor = UnsafeMutablePointer<LaneCursor>.allocate(capacity: 1)
        cursor.initialize(
            to: LaneCursor(
                supply: Unmanaged.passRetained(supply), memory: memory, record: supply.record, clock: clock))
        cursors[number ?? RecordingLayout.LaneRecord.limit] = cursor
        return Lane(cursor)
    }

    /// Records what is run, for a reader that has only the recording.
    package func declareRun(_ header: TraceHeader) {
        var header = header
        func line() -> String { ByteSink.collect { TraceWriter.write(header, to: &$0) } }
        // A truncated header would be useless.
        if line().utf8.count > NameArea.longestText { header.program = nil }
        _ = names.add(.run, line())
    }

    package func declareThread(_ id: UInt16, name: String) { _ = names.add(.thread, id: UInt32(id), name) }

    /// - Parameters:
    ///   - value: the initial value of memory, or the number of a semaphore's permits; negative if that is not known.
    ///   - maker: the thread that creates it.
    package func declareObject(
        _ id: UInt32, kind: ObjectKind, name: String, value: Int = 0, maker: ThreadID = .main
    ) {
        _ = names.add(.object, id: id, value: value, "\(kind.rawValue)\u{0}\(maker.index)\u{0}\(name)")
    }

    /// Declares that the object is a part of another one: see `EventSink`.
    package func declarePart(_ id: UInt32, of owner: UInt32) { _ = names.add(.part, id: id, value: Int(owner), "") }

    /// Says to what the pointers with this value point: see `TraceDocument.targets`.
    package func declareTarget(_ value: Int, name: String) { _ = names.add(.target, value: value, name) }

    /// Stores a text.
    ///
    /// - Returns: the value by which an event refers to it. 0: there is no room for it.
    package func text(_ text: String) -> Int64 { Int64(names.add(.text, text)) }

    /// Writes the words of a remark to the recording, if they are not there yet, and returns the remark's number. 0:
    /// there is no room for them.
    package func number(of remark: Remark) -> UInt8 { RemarkTable(memory: memory, names: names).number(of: remark) }

    /// A place in a file whose name is not a constant of the program, such as a `.lab` file.
    ///
    /// - Parameter file: the file's name, as returned by `text`.
    package func site(inFileNamed file: Int64, line: Int) -> SourceSite {
        file == 0 ? .unknown : SourceSite(text: UInt(file), line: line)
    }

    /// Makes this moment the start of the recording. Must be called before any thread records.
    package func begin() { _ = Self.writeStart(memory, clock) }

    /// Updates the measured rate of the clock. A longer measurement is better.
    package func calibrate() { if clock == .ticks { Self.calibrate(memory) } }

    // MARK: - Clock and header

    /// Sleeps for 1 ms, so that another thread can make progress.
    static func pause() {
        var time = timespec(tv_sec: 0, tv_nsec: 1_000_000)
        nanosleep(&time, nil)
    }

    private static func writeHeader(_ memory: RecordingMemory, _ clock: RecordingClock, _ order: LaneOrder) {
        typealias Header = RecordingLayout.Header
        let start = writeStart(memory, clock)
        memory.store(Header.nanosecondsPerTick, (1.0).bitPattern)
        memory.store(Header.version, RecordingLayout.version)
        memory.store(Header.size, UInt64(memory.size))
        memory.store(Header.vocabulary, RecordingLayout.vocabulary)
        memory.store(Header.program, ProgramIdentity.current)
        memory.store(Header.loadAddress, ProgramIdentity.loadAddress)
        memory.store(Header.clock, clock.rawValue)
        memory.store(Header.order, order.rawValue)
        memory.store(Header.nextName, UInt64(RecordingLayout.names))
        memory.store(Header.namesEnd, UInt64(RecordingLayout.chunks(size: memory.size)))
        if clock == .ticks {
            // A first, rough measurement of 50 µs, for a run that is killed before it takes its first chunk.
            while RecordingClock.nanoseconds() - start < 50_000 {}
            calibrate(memory)
        }
        memory.store(Header.magic, RecordingLayout.magic)
    }

    /// Makes this moment time zero, and returns it in nanoseconds of the monotonic clock.
    private static func writeStart(_ memory: RecordingMemory, _ clock: RecordingClock) -> UInt64 {
        let start = RecordingClock.nanoseconds()
        memory.store(RecordingLayout.Header.startNanoseconds, start)
        memory.store(RecordingLayout.Header.startTicks, clock == .monotonic ? start : clock.read())
        return start
    }

    /// Measures the duration of a tick, from the start of the recording until now.
    static func calibrate(_ memory: RecordingMemory) {
        let ticks = clab_ticks() &- memory.load(RecordingLayout.Header.startTicks)
        let nanoseconds = RecordingClock.nanoseconds() &- memory.load(RecordingLayout.Header.startNanoseconds)
        guard ticks > 0 else { return }
        memory.store(
            RecordingLayout.Header.nanosecondsPerTick, (Double(nanoseconds) / Double(ticks)).bitPattern)
    }
}
