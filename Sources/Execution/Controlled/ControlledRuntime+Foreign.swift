import CLab
import Glibc
import Machine
import Synchronization
import Trace

/// Refuses threads that the run has not started. They run beside the scheduler, on OS threads of their own. Of this
/// runtime's variables they change only those in `ForeignThreads`.
extension ControlledRuntime {
    /// What such threads have done, shared with the thread that runs the executions.
    final class ForeignThreads: Sendable {
        /// The thread that runs, or ran, the executions; 0 if none has run any.
        let host = Atomic<UInt>(0)
        /// Whether that thread is running an execution now.
        let isRunning = Atomic(false)
        /// The first use of an object by a foreign thread. After one, the execution ends at its next step.
        let use = Synchronization.Mutex<ForeignThread?>(nil)
        /// Whether there is such a use.
        let isNoted = Atomic(false)
        /// How many operations were refused.
        private let refusals = Atomic(0)

        /// Notes a use, of which only the first is kept. Ends the calling thread if the run has refused too many uses.
        ///
        /// - Returns: whether it is the first one.
        fileprivate func note(_ new: ForeignThread) -> Bool {
            ForeignThread.endIfPersistent(refusals.add(1, ordering: .relaxed).newValue)
            let isFirst = use.withLock { use in
                if use != nil { return false }
                use = new
                return true
            }
            isNoted.store(true, ordering: .releasing)
            return isFirst
        }
    }

    /// Whether the calling thread runs the execution. Part of every step, so it only compares two words.
    @inline(__always) var isCallersRun: Bool { clab_current() == present.caller }

    /// Refuses an operation of a thread that does not run the execution. If the thread belongs to another run, or ran
    /// the execution and is now in no run, it uses an object that is left over.
    @inline(never) func performForStranger(
        _ operation: Operation, on target: RuntimeObject, at site: SourceSite
    ) throws -> Int {
        let host = foreign.host.load(ordering: .acquiring)
        if ThreadContext.isInRun || host == ForeignUses.callingThread {
            return try performOnForeign(operation, on: target)
        }
        let use = ForeignThread(operation, on: target.storage == executionTag ? target.id : 0, at: site)
        if foreign.note(use) {
            ForeignUses.add(use, of: number, on: host)
            guard foreign.isRunning.load(ordering: .acquiring) else { throw use }
            // The execution ends at its next step. Until then this thread pauses: if it continued without the lock that
            // it was refused, it could change memory at the same time as code that holds the lock. The pause is
            // limited, because the execution may be waiting for this thread.
            usleep(Self.pause)
        }
        throw use
    }

    /// The length of the pause, in microseconds.
    private static var pause: UInt32 { 100_000 }

    /// If a foreign thread has used an object of the execution, makes that the end of the execution, whatever else
    /// ended it.
    func disown() {
        guard verdict != .foreignThread, let use = foreign.use.withLock({ $0 }) else { return }
        present.discarded = nil
        present.failure = use.site
        journal?.record(
            .threadForeign, thread: 0, object: use.object, text: use.operation, at: use.site, time: state.time)
        driver.disown()
    }
}

/// Where the objects of a runtime's executions were made, by number, for the message about an object that outlives its
/// execution. A later execution may have reused the number, usually for the same object of the program.
final class ObjectOrigins {
    private struct Origin {
        var site = SourceSite.unknown
        var kind = ObjectKind.part
    }

    @exclusivity(unchecked) private var origins: [Origin] = []

    @inline(__always) func note(_ object: UInt32, _ kind: ObjectKind, at site: SourceSite) {
        let number = Int(object)
        if number >= origins.count { makeRoom(for: number) }
        origins[number] = Origin(site: site, kind: kind)
    }

    @inline(never) private func makeRoom(for number: Int) {
        origins.append(contentsOf: repeatElement(Origin(), count: max(64, 2 * (number + 1)) - origins.count))
    }

    func foreignObject(_ object: RuntimeObject) -> ForeignObject {
        guard object.storage != nil, origins.indices.contains(Int(object.id)) else { return ForeignObject() }
        let origin = origins[Int(object.id)]
        return ForeignObject(origin.kind, madeAt: origin.site)
    }
}

extension ControlledRuntime {
    /// The source location of a thread's last operation, read from another OS thread that watches the run. The watched
    /// thread must have taken no step for a long time, because every step changes what this reads.
    ///
    /// - Parameter context: the context of the watched thread.
    /// - Returns: nil if the context is not that of a controlled runtime.
    package static func site(ofThread thread: Int, in context: UnsafeMutableRawPointer) -> SourceSite? {
        let context = Unmanaged<ThreadContext>.fromOpaque(context).takeUnretainedValue()
        guard !context.isNative else { return nil }
        let runtime = Unmanaged<ControlledRuntime>.fromOpaque(context.address).takeUnretainedValue()
        return runtime.sites[thread]
    }
}
