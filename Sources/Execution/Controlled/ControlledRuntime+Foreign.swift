import CLab
import Glibc
import Machine
import Synchronization
import Trace

/// Threads that the run has not started. They run beside the scheduler, on OS threads of their own, and touch nothing of
/// it but these variables.
extension ControlledRuntime {
    final class ForeignThreads: Sendable {
        /// The thread that runs, or ran, the executions. 0: none has.
        let host = Atomic<UInt>(0)
        /// Whether it runs one now.
        let isRunning = Atomic(false)
        /// The use of an object that ends the execution at its next step.
        let use = Synchronization.Mutex<ForeignThread?>(nil)
        let isNoted = Atomic(false)
        private let refusals = Atomic(0)

        /// Notes the first use.
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

    /// Whether the calling thread runs the execution. On the path of each step: two words are compared.
    @inline(__always) var isCallersRun: Bool { clab_current() == present.caller }

    /// The operation of a thread that does not run the execution: it is refused. A thread of another run, and one that has
    /// run the execution and runs nothing now, use an object that is left of it.
    @inline(never) func performForStranger(
        _ operation: Operation, on target: RuntimeObject, at site: SourceSite
    ) throws -> Int {
        let host = foreign.host.load(ordering: .acquiring)
        if ThreadContext.isInRun || host == ForeignUses.callingThread {
            return try performOnForeign(operation, on: target)
        }
        let use = ForeignThread(operation, on: target.storage == mark ? target.id : 0, at: site)
        if foreign.note(use) {
            ForeignUses.add(use, of: number, on: host)
            guard foreign.isRunning.load(ordering: .acquiring) else { throw use }
            // The execution ends at its next step. Until then, code that has not got a lock could run beside code that
            // has it, and change the same memory; there is no way to learn that the execution waits for this thread.
            usleep(Self.pause)
        }
        throw use
    }

    /// In microseconds.
    private static var pause: UInt32 { 100_000 }

    /// Ends the execution if a thread that does not belong to it has used one of its objects, whatever else ended it.
    func disown() {
        guard verdict != .foreignThread, let use = foreign.use.withLock({ $0 }) else { return }
        present.discarded = nil
        present.failure = use.site
        journal?.record(
            .threadForeign, thread: 0, object: use.object, text: use.operation, at: use.site, time: state.time)
        driver.disown()
    }
}

/// Where the objects of a runtime's executions were made, by their numbers: for a report of one that outlives its
/// execution. Its number then belongs to the object that the program makes in its place, which is mostly the same.
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
    /// The place of a thread's last operation, for an OS thread that watches the one on which the thread runs. That one must
    /// have stood still for long: what is read here is changed by every step.
    ///
    /// - Parameter context: the context of the thread that is watched. Nil is returned if it is not that of such a runtime.
    package static func site(ofThread thread: Int, in context: UnsafeMutableRawPointer) -> SourceSite? {
        let context = Unmanaged<ThreadContext>.fromOpaque(context).takeUnretainedValue()
        guard !context.isNative else { return nil }
        let runtime = Unmanaged<ControlledRuntime>.fromOpaque(context.address).takeUnretainedValue()
        return runtime.sites[thread]
    }
}
