import CLab
import Machine
import Trace

/// Initializers of globals and statics run once in a process: in the first execution that needs them. They must not
/// make that execution differ from later ones, so nearly all of their operations are not steps (`performUnseen`), and
/// the objects that they make are numbered separately.
extension ControlledRuntime {
    /// The functions that are called instead of Swift's `swift_once`.
    static var onces: clab_onces_t {
        clab_onces_t(
            first: nil,
            begin: { once in
                guard let once else { return }
                ThreadContext.controlledRuntime._withUnsafeGuaranteedRef { $0.beginInitializer(once) }
            },
            wait: { once in
                guard let once else { return }
                ThreadContext.controlledRuntime._withUnsafeGuaranteedRef { $0.waitForInitializer(once) }
            },
            end: { once in
                guard let once else { return }
                ThreadContext.controlledRuntime._withUnsafeGuaranteedRef { $0.endInitializer(once) }
            })
    }

    /// How often something happened that makes an execution differ from a repetition of it: an initializer ran, or an
    /// object of another execution was used.
    package var peculiarities: Int { present.initializers + present.foreignUses }

    /// Whether the calling thread runs an initializer.
    var isInitializing: Bool {
        var next = present.onces.pointee.first
        while let once = next {
            if once.pointee.thread == Int32(current) { return true }
            next = once.pointee.next
        }
        return false
    }

    /// The identity of the next object that an initializer makes.
    func nextGlobalObject() -> ObjectIdentity {
        defer { present.globalObjects += 1 }
        return ObjectIdentity(globalNumber: present.globalObjects)
    }

    private func beginInitializer(_ once: UnsafeMutablePointer<clab_once_t>) {
        once.pointee.thread = Int32(current)
        present.initializers += 1
        // Operations now take the slower path, which handles initializers.
        present.hasHooks = true
    }

    /// Waits while another thread, or the calling one itself, runs the initializer: as for a lock.
    private func waitForInitializer(_ once: UnsafeMutablePointer<clab_once_t>) {
        if verdict == nil, let lock = lock(of: once) {
            let isLocked = (try? perform(Operation(.lock, lock.id), on: lock, with: nil, at: .unknown)) != nil
            if isLocked && (try? perform(Operation(.unlock, lock.id), on: lock, with: nil, at: .unknown)) != nil {
                return
            }
        }
        // The run is over and the variable will never get a value, so the thread cannot continue.
        while true { leaveRun() }
    }

    private func endInitializer(_ once: UnsafeMutablePointer<clab_once_t>) {
        guard verdict == nil, once.pointee.lock != 0 else { return }
        let lock = RuntimeObject(id: once.pointee.lock, storage: executionTag)
        _ = try? perform(Operation(.unlock, lock.id), on: lock, with: nil, at: .unknown)
    }

    /// The lock of an initializer, held by the thread that runs it. It is made when a thread has to wait.
    private func lock(of once: UnsafeMutablePointer<clab_once_t>) -> RuntimeObject? {
        if once.pointee.lock == 0 {
            guard let id = state.addObject(.normalMutex, nextGlobalObject()) else { return nil }
            let owner = Int(once.pointee.thread)
            state.hold(id, by: owner)
            journal?.declareObject(id, .mutex, "initializer of a global", by: owner)
            journal?.record(.mutexAcquire, thread: owner, object: id, value: 1, at: sites[owner], time: state.time)
            once.pointee.lock = id
        }
        return RuntimeObject(id: once.pointee.lock, storage: executionTag)
    }

    /// The maximum number of operations without a step in an execution. After that, initializers take steps like other
    /// code, because one may be waiting for another thread in a loop.
    private static let patience = 1000

    /// Performs an operation of an initializer without a step.
    ///
    /// - Returns: nil if the operation must be taken as a step: no initializer runs on the thread, the operation is of
    ///   a kind that is always a step, would have to wait or leaves a choice, `patience` is exhausted, or the memory
    ///   model is a weaker one, under which every operation is an event of the execution graph.
    @inline(never) func performUnseen(_ operation: Operation, at site: SourceSite) throws -> Int? {
        guard verdict == nil, present.onces.pointee.first != nil, isInitializing, operation.kind.canBeUnseen,
            state.weakMemory == nil
        else {
            return nil
        }
        let thread = current
        state.announce(thread, operation)
        present.unseenSteps += 1
        guard present.unseenSteps <= Self.patience, state.isEnabled(thread), state.alternatives(of: thread) <= 1 else {
            return nil
        }
        sites[thread] = site
        journal?.announce(thread, site)
        let result = state.step(thread)
        driver.noteUnseenStep()
        journal?.record(operation, result, of: thread, state)
        if let misuse = result.misuse { throw Misuse(misuse, at: site) }
        return result.value
    }
}
