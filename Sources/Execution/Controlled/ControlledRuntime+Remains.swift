import CLab
import Machine

/// What is left of an execution when its threads have unwound: values in slots, blocks that were never run, hooks. To
/// release them is to run the `deinit` of the program's objects. That takes a fiber: code that does not return can be
/// left behind there, and not on the caller's stack.
extension ControlledRuntime {
    struct Remains {
        var slots: [Int: ControlledSlots.Values] = [:]
        var bound: [any RunBound] = []
        var hooks: [any StepHook] = []
    }

    /// A `deinit` may leave something again.
    private static let rounds = 4

    func releaseRemains() {
        for _ in 0..<Self.rounds {
            // Nothing else keeps them: the last reference is released on the fiber.
            present.remains = takeRemains()
            if present.remains == nil { return }
            guard let fiber = present.pool.take(Self.fiberEntry, for: .plain {}) else { break }
            present.callsSinceEnd = 0
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

    private func takeRemains() -> Remains? {
        let bound = knownSlots.takeBound()
        if present.slots.isUnused && bound.isEmpty && !present.hasHooks { return nil }
        knownSlots.forget()
        return Remains(slots: present.slots.reset() ?? [:], bound: bound, hooks: present.takeHooks())
    }

    /// On a fiber. Not inlined: all is released when this returns.
    @inline(never) func dropRemains() {
        _ = present.pool.takeBody(of: fiberOf[current])
        present.isReleasing = true
        guard let remains = present.remains.take() else { return }
        for object in remains.bound { object.runHasEnded() }
    }

    /// No code of these objects runs any more.
    private func leak(_ remains: Remains) { _ = Unmanaged.passRetained(Leak(remains)) }

    private final class Leak {
        let remains: Remains

        init(_ remains: Remains) { self.remains = remains }
    }
}
