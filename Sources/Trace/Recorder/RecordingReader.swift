/// Turns a recording into a document: puts the lanes' events into the order in which they happened, and replaces
/// numbers with names. It can read a growing recording, one left by a dead process, and one that has been tampered
/// with.
///
/// One reader at a time may drain a recording. Not thread-safe.
package final class RecordingReader {
    /// The default limit of events in a document: if there are more, it keeps the newest ones, at least half of this
    /// number.
    package static let defaultMaximumEvents = 4_000_000

    private let memory: RecordingMemory
    private let isLive: Bool
    private var state: RecordingDrain

    /// Attaches to a recording that this process, or one that it forked or will fork, writes.
    ///
    /// - Parameter placeOfCalls: the place itself of one that was reached by the calls of this number.
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

    /// Reads a recording from a file. Source locations are available only to the very program that recorded them.
    package init(file path: String, maximumEvents: Int = defaultMaximumEvents) throws(RecordingError) {
        memory = try RecordingFile.load(path)
        isLive = false
        state = try RecordingDrain(memory, isLive: false, maximumEvents: maximumEvents)
    }

    deinit { if isLive { memory.store(RecordingLayout.Header.reader, 0) } }

    /// The number of records that were invalid, and left out.
    package var damaged: Int { state.damaged }

    /// What was run, if the recording states it; known once it has been drained.
    package var run: TraceHeader? { state.run }

    /// A reading of the recording's clock.
    package var now: UInt64 { state.clock.read() }

    /// Until when, on that clock, all events have been passed on. It can lie far behind: a thread that records an event
    /// may lose its processor meanwhile, and what others have recorded after that is then passed on later.
    package var horizon: UInt64 { state.horizon }

    /// The kernel's numbers of the threads that have recorded.
    package var kernelThreads: [Int32] {
        (0..<state.laneCount).lazy.map { LaneReader(memory: self.memory, number: $0, gives: false).kernelThread }
            .filter { $0 > 0 }
    }

    /// The document's number of a place that events have named.
    package func number(of site: SourceSite) -> SiteID? { state.number(of: site) }

    /// Appends what was recorded since the last time.
    ///
    /// - Parameters:
    ///   - final: no thread records any more: take everything. Otherwise the last millisecond or so is left for the
    ///     next time, because an earlier event may still be on its way.
    ///   - observe: receives these events in batches, including those that the document does not keep.
    /// - Returns: whether that was all. Otherwise threads record faster than this reader reads.
    @discardableResult
    package func drain(
        into document: inout TraceDocument, final: Bool, _ observe: (ArraySlice<Event>) -> Void = { _ in }
    ) -> Bool {
        state.drain(into: &document, final: final, unless: { false }, observe)
    }

    /// The same, as far as there is time for it.
    ///
    /// - Parameter isOver: asked after each batch: whether there is no time for another one. Then that was not all.
    @discardableResult
    package func drain(
        into document: inout TraceDocument, final: Bool, unless isOver: () -> Bool,
        _ observe: (ArraySlice<Event>) -> Void
    ) -> Bool {
        state.drain(into: &document, final: final, unless: isOver, observe)
    }
}
