import CLab
import Machine
import Synchronization
import Trace

/// The uses of controlled runs' objects by threads that do not belong to them, for the search that has run the
/// executions: a thread can come so late that its execution is over.
package enum ForeignUses {
    private struct Entry: Sendable {
        let runtime: Int
        let thread: UInt
        let use: ForeignThread
    }

    private static let entries = Guarded<[Entry]>([])
    /// The number of controlled runtimes made.
    private static let runtimes = Atomic(0)

    /// The number of a new runtime, which no other one has.
    static func numberOfNewRuntime() -> Int { runtimes.add(1, ordering: .relaxed).oldValue }

    /// The first one of each runtime.
    static func add(_ use: ForeignThread, of runtime: Int, on thread: UInt) {
        entries.withLock { $0.append(Entry(runtime: runtime, thread: thread, use: use)) }
    }

    /// A watch over the executions that the calling thread runs from now on.
    package struct Watch: Sendable {
        private let firstRuntime = ForeignUses.runtimes.load(ordering: .relaxed)
        private let thread = ForeignUses.callingThread

        package init() {}

        /// The first use, if there was one.
        package var use: ForeignThread? {
            entries.withLock { entries in
                entries.first { $0.runtime >= firstRuntime && $0.thread == thread }?.use
            }
        }
    }

    /// A number that no other thread has.
    static var callingThread: UInt { UInt(bitPattern: clab_current_address()) }
}

/// A thread that does not belong to a run was about to use an object of it, and is refused: the lab has not started the
/// thread. The scheduler decides the steps of its own threads only, so the steps of such a thread would be in no schedule.
/// Nor could a run on real threads be diagnosed: until the thread's first use of an object, a wait that it is going to end
/// looks endless.
package struct ForeignThread: Error, CustomStringConvertible {
    /// 0: an object of an earlier execution.
    let object: UInt32
    package let operation: String
    package let site: SourceSite

    init(_ operation: Operation, on object: UInt32, at site: SourceSite) {
        self.object = object
        self.operation = "\(operation.kind)"
        self.site = site
    }

    /// Without its full stop.
    package var sentence: String { ForeignThreadWords.sentence("an object of it") + place }

    package var description: String { "\(sentence). \(ForeignThreadWords.advice)" }

    /// ` at FILE:LINE`, or empty.
    private var place: String {
        guard site.fileText == nil, let name = UnsafePointer<CChar>(bitPattern: site.fileAddress) else { return "" }
        return " at \(String(cString: name)):\(site.line)"
    }

    /// After this number of refused operations a thread is ended: it might try forever. But any number of objects that
    /// are left of a run may be released on the same thread.
    private static let patience = 1000

    /// Called for each refused operation of a run.
    static func endIfPersistent(_ refusals: Int) {
        if refusals > patience && !Belated.isDeinit { clab_end_thread() }
    }
}

extension ThreadID {
    /// A thread that is none of the run's.
    static let foreign = ThreadID(Int(UInt16.max))
}
