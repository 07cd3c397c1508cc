import CLab
import Machine

/// Releases what is left of an execution when its threads have unwound: values in slots, blocks of queues that were
/// never run, hooks. That runs the `deinit` of the program's objects, on a fiber: code there that does not return can
/// be abandoned with the fiber, unlike on the stack of the caller of `run`.
extension ControlledRuntime {
    struct Remains {
        var slots: [Int: ControlledSlots.Values] = [:]
        var bound: [any RunBound] = []
        var hooks: [any StepHook] = []
    }

    /// The maximum number of rounds of releases. A `deinit` may leave something behind again. What remains after the
    /// last round is leaked.
    private static let mostRounds = 4

    /// Releases the remains. If a `deinit` does not return, its fiber is restarted, and what it held is leaked.
    func releaseRemains() {
        for _ in 0..<Self.mostRounds {
            // These must be the only references, so that the objects are released on the fiber.
            present.remains = takeRemains()
            if present.remains == nil { return }
            guard let fiber = present.pool.take(Self.fiberEntry, for: .plain {}) else { break }
            present.callsSinceEnd = 0
            // The fiber runs in place of the main thread's, which is no longer needed.
            fiberOf[0] = fiber
            resume(0)
            if present.isReleasing {
                clab_abandon_onces(present.onces)
                present.pool.restart(fiber, Self.fiberEntry)
            }
            present.isReleasing = false
        }
        for remains in [present.remains.take(), takeRemains()] { if let remains { leak(remains) } }
    }

    /// Takes all remains out of the runtime. Nil if there are none.
    private func takeRemains() -> Remains? {
        let bound = knownSlots.takeBound()
        if present.slots.isUnused && bound.isEmpty && !present.hasHooks { return nil }
        knownSlots.forget()
        return Remains(slots: present.slots.reset() ?? [:], bound: bound, hooks: present.takeHooks())
    }

    /// Releases the remains. Called on a fiber. Not inlined, so that everything is released when this returns.
    @inline(never) func dropRemains() {
        // The fiber was taken with an empty body.
        _ = present.pool.takeBody(of: fiberOf[current])
        present.isReleasing = true
        guard let remains = present.remains.take() else { return }
        for object in remains.bound { object.runHasEnded() }
    }

    /// Leaks the remains, so that no code of these objects runs any more.
    private func leak(_ remains: Remains) { _ = Unmanaged.passRetained(Leak(remains)) }

    private final class Leak {
        let remains: Remains

        init(_ remains: Remains) { self.remains = remains }
    }
}
