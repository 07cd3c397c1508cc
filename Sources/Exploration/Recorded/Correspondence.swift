import Trace

/// Which threads and objects of the present run correspond to which ones of the recorded run. Threads are matched by
/// the thread that started them and the order of starting; objects by the first operation on them.
struct Correspondence {
    private var recordedThreads: [ThreadID?] = [.main]
    private var threads: [ThreadID: Int] = [.main: 0]
    private var recordedObjects: [UInt32: ObjectID] = [:]
    private var objects: [ObjectID: UInt32] = [:]

    /// The number of known threads of the present run.
    var threadCount: Int { recordedThreads.count }

    /// The present thread. Nil: it has not been started yet.
    func thread(_ recorded: ThreadID) -> Int? { threads[recorded] }

    func recorded(_ thread: Int) -> ThreadID? {
        recordedThreads.indices.contains(thread) ? recordedThreads[thread] : nil
    }

    /// The next thread of the present run is this one; or none.
    mutating func add(_ recorded: ThreadID?) {
        if let recorded { threads[recorded] = recordedThreads.count }
        recordedThreads.append(recorded)
    }

    func recorded(_ object: UInt32) -> ObjectID? { recordedObjects[object] }

    /// Whether it is, or may turn out to be, the same object.
    func mayBe(_ object: UInt32, _ recorded: ObjectID) -> Bool {
        if object == 0 || recorded == .none { return object == 0 && recorded == .none }
        return recordedObjects[object] == recorded || (recordedObjects[object] == nil && objects[recorded] == nil)
    }

    mutating func bind(_ object: UInt32, _ recorded: ObjectID) {
        guard object != 0 else { return }
        recordedObjects[object] = recorded
        objects[recorded] = object
    }
}
