import CLab
import Machine
import Synchronization
import Trace

/// Collects uses of controlled runs' objects by threads that do not belong to these runs, so that a search learns of a
/// use even if it comes after the execution is over.
package enum ForeignUses {
    /// The first use of a runtime's objects.
    private struct Entry: Sendable {
        /// The number of the runtime.
        let runtime: Int
        /// The thread that runs, or ran, the executions of the runtime.
        let thread: UInt
        let use: ForeignThread
    }

    private static let entries = Guarded<[Entry]>([])
    /// The number of controlled runtimes made.
    private static let runtimes = Atomic(0)

    /// The number of a new controlled runtime, unique in the process.
    static func numberOfNewRuntime() -> Int { runtimes.add(1, ordering: .relaxed).oldValue }

    /// Adds a use. Called for the first use of each runtime's objects.
    ///
    /// - Parameter thread: the thread that runs, or ran, the executions of the runtime.
    static func add(_ use: ForeignThread, of runtime: Int, on thread: UInt) {
        entries.withLock { $0.append(Entry(runtime: runtime, thread: thread, use: use)) }
    }

    /// Watches the executions that the calling thread runs from now on.
    package struct Watch: Sendable {
        private let firstRuntime = ForeignUses.runtimes.load(ordering: .relaxed)
        private let thread = ForeignUses.callingThread

        package init() {}

        /// The first use of an object of these executions by another thread.
        package var use: ForeignThread? {
            entries.withLock { entries in
                entries.first { $0.runtime >= firstRuntime && $0.thread == thread }?.use
            }
        }
    }

    /// A number for the calling thread, unique in the process.
    static var callingThread: UInt { UInt(bitPattern: clab_current_address()) }
}

/// The error of a thread that the lab has not started and that was about to use an object of a run. The scheduler
/// decides only the steps of its own threads, so the steps of such a thread would be in no schedule. A native run could
/// not be diagnosed either: until the thread first uses an object, a wait that it is going to end looks endless.
package struct ForeignThread: Error, CustomStringConvertible {
    /// The object's number; 0 if it is not an object of the running execution, or is not known.
    let object: UInt32
    /// The name of the refused operation.
    package let operation: String
    package let site: SourceSite

    init(_ operation: Operation, on object: UInt32, at site: SourceSite) {
        self.object = object
        self.operation = "\(operation.kind)"
        self.site = site
    }

    /// A sentence without its full stop.
    package var sentence: String { ForeignThreadWords.sentence("an object of it") + place }

    package var description: String { "\(sentence). \(ForeignThreadWords.advice)" }

    /// ` at FILE:LINE`, or empty.
    private var place: String {
        guard site.fileText == nil, let name = UnsafePointer<CChar>(bitPattern: site.fileAddress) else { return "" }
        return " at \(String(cString: name)):\(site.line)"
    }

    /// The number of refused operations of a run after which the thread is ended, because it might try forever. A
    /// `deinit` is not ended: any number of objects that are left of a run may be released on one thread.
    private static let patience = 1000

    /// Ends the calling thread if the run has refused more operations than `patience`. Called for each refused
    /// operation.
    ///
    /// - Parameter refusals: the number of the run's refused operations so far.
    static func endIfPersistent(_ refusals: Int) {
        if refusals > patience && !Belated.isDeinit { clab_end_thread() }
    }
}

extension ThreadID {
    /// Stands for a thread outside the run.
    static let foreign = ThreadID(Int(UInt16.max))
}
