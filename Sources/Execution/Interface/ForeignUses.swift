import CLab
import Synchronization

/// The uses of controlled runs' objects by threads that do not belong to them, for the search that has run the
/// executions: a thread can come so late that its execution is over.
package enum ForeignUses {
    private struct Entry: Sendable {
        let runtime: Int
        let thread: UInt
        let use: ForeignThread
    }

    private static let entries = Mutex<[Entry]>([])

    /// The first one of each runtime.
    static func add(_ use: ForeignThread, of runtime: Int, on thread: UInt) {
        entries.withLock { $0.append(Entry(runtime: runtime, thread: thread, use: use)) }
    }

    /// A watch over the executions that the calling thread runs from now on.
    package struct Watch: Sendable {
        private let firstRuntime = ControlledRuntime.count
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
