/// Turns a recording into a document: orders the lanes' events as they happened, and replaces numbers by names. It can
/// read a growing recording, one that a dead process left, and one that was tampered with.
///
/// One reader at a time may drain a recording. Not thread-safe.
package final class RecordingReader {
    /// The default limit of events in a document. If there are more, the document keeps the newest ones, at least half
    /// of this number.
    package static let defaultMaximumEvents = 4_000_000

    private let memory: RecordingMemory
    private let isLive: Bool
    private var state: RecordingDrain

    /// Attaches to a recording that this process, or one that it forked or will fork, writes.
    ///
    /// - Parameter placeOfCalls: returns the file and line of a site whose calls have this number (`SourceSite.calls`).
    package init(
        attachingTo memory: RecordingMemory, maximumEvents: Int = defaultMaximumEvents,
        placeOfCalls: @escaping (Int) -> SourceSite = { _ in .unknown }
    ) throws(RecordingError) {
        self.memory = memory
        isLive = true
        state = try RecordingDrain(
            memory, isLive: true, maximumEvents: maximumEvents, placeOfCalls: placeOfCalls)
        memory.store(RecordingLayout.Header.reader, 1)
    }

    /// Reads a recording from a file. Source locations are available only to the program that recorded them.
    package init(file path: String, maximumEvents: Int = defaultMaximumEvents) throws(RecordingError) {
        memory = try RecordingFile.load(path)
        isLive = false
        state = try RecordingDrain(memory, isLive: false, maximumEvents: maximumEvents)
    }

    deinit { if isLive { memory.store(RecordingLayout.Header.reader, 0) } }

    /// The number of invalid records, which were left out.
    package var damaged: Int { state.damaged }

    /// What was run, if the recording states it. Known after a drain.
    package var run: TraceHeader? { state.run }

    /// The present time on the recording's clock.
    package var now: UInt64 { state.clock.read() }

    /// The time, on the recording's clock, up to which all events have been passed on. It can be much earlier than
    /// `now`: a thread may lose its processor while it records an event, and later events of other threads are then
    /// held back.
    package var horizon: UInt64 { state.horizon }

    /// The kernel's numbers of the threads that have recorded.
    package var kernelThreads: [Int32] {
        (0..<state.laneCount).lazy.map { number in
            LaneReader(memory: self.memory, number: number, returnsChunks: false).kernelThread
        }.filter { $0 > 0 }
    }

    /// The document's number of a site in an earlier event. Nil: no event had it.
    package func number(of site: SourceSite) -> SiteID? { state.number(of: site) }

    /// Appends the events that were recorded since the last time.
    ///
    /// - Parameters:
    ///   - final: whether no thread records any more, so that all events are taken. Otherwise about the last
    ///     millisecond is left for the next time, because an earlier event may still arrive.
    ///   - observe: receives these events in batches, including events that the document does not keep.
    /// - Returns: whether these were all. Otherwise threads record faster than this reader reads.
    @discardableResult
    package func drain(
        into document: inout TraceDocument, final: Bool, _ observe: (ArraySlice<Event>) -> Void = { _ in }
    ) -> Bool {
        state.drain(into: &document, final: final, unless: { false }, observe)
    }

    /// Appends events as long as there is time.
    ///
    /// - Parameter isOver: whether the time is over. Asked after each batch; if it is, the result is false.
    @discardableResult
    package func drain(
        into document: inout TraceDocument, final: Bool, unless isOver: () -> Bool,
        _ observe: (ArraySlice<Event>) -> Void
    ) -> Bool {
        state.drain(into: &document, final: final, unless: isOver, observe)
    }
}
