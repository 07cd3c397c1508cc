import Trace

/// Writes the events of a controlled run into a recording, with all threads on one lane: in the order in which they happen
/// (`LaneOrder.byLane`).
final class RecorderSink: EventSink {
    private let recorder: Recorder
    private var lane: Lane
    /// The number of events so far.
    private(set) var count = 0

    init(_ recorder: Recorder) {
        self.recorder = recorder
        lane = recorder.makeLane()
        recorder.declareThread(0, name: "main")
    }

    /// Records on a new lane from here on: the present one has events that have not happened.
    func beginLane() { lane = recorder.makeLane() }

    func append(_ kind: EventKind, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int) {
        count += 1
        lane.append(
            kind, thread: UInt16(thread), object: object, value: Int64(value), site: site, time: UInt64(time))
    }

    func declareThread(_ thread: Int, name: String) { recorder.declareThread(UInt16(thread), name: name) }

    func declareObject(_ object: UInt32, kind: ObjectKind, name: String, maker: ThreadID) {
        recorder.declareObject(object, kind: kind, name: name, maker: maker)
    }

    func text(_ text: String) -> Int { Int(recorder.text(text)) }
}
