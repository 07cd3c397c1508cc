/// Checks footprints in debug builds, from assertions of the driver: if a step enables or disables another thread, that
/// thread's next step must depend on the step, according to the footprints of the two.
///
/// It also chooses the steps that are compared, by this and other assertions: all of the first 5,000, which suffice for
/// the search of a small program, then one in sixteen. Comparing takes half of a search's time, and users' tests are
/// debug builds.
final class IndependenceCheck {
    /// Before the step, a bit for each of the first 64 threads: whether it could step, and whether it was in a
    /// condition's wait.
    private var wereEnabled: UInt64 = 0
    private var wereWaiting: UInt64 = 0
    private var couldWakeSpuriously = false
    private var threadCount = 0
    /// The step's footprint. Determined before the step, which may use up the last spurious wake-up.
    private var touched: [Access] = []
    private var steps: UInt64 = 0
    /// Whether the present step is compared.
    private(set) var isDue = true

    private static let mostAtFirst: UInt64 = 5_000

    /// Chooses whether the next step is compared. Returns true, so that `assert` can call it.
    func choose(_ state: MachineState) -> Bool {
        steps &+= 1
        // Multiplying by 2^64 ÷ φ spreads the chosen steps evenly, out of phase with the lengths of executions.
        isDue = steps <= Self.mostAtFirst || (steps &* 0x9E37_79B9_7F4A_7C15) >> 60 == 0
        state.header.pointee.isCompared = isDue
        return true
    }

    /// The thread is about to take a step. Returns true, so that `assert` can call it.
    func begin(_ thread: Int, _ state: MachineState) -> Bool {
        guard isDue else { return true }
        touched = footprint(of: state.ruling(on: thread), thread, state)
        threadCount = min(state.threadCount, UInt64.bitWidth)
        wereEnabled = 0
        wereWaiting = 0
        couldWakeSpuriously = state.mayWakeSpuriously
        for thread in 0..<threadCount {
            if state.isEnabled(thread) { wereEnabled |= 1 << UInt64(thread) }
            if state.isWaiting(thread) { wereWaiting |= 1 << UInt64(thread) }
        }
        return true
    }

    /// The thread has taken the step. Returns whether every thread that it enabled or disabled depends on it.
    func end(_ thread: Int, _ state: MachineState) -> Bool {
        guard isDue else { return true }
        return (0..<threadCount).allSatisfy { other in
            let wasEnabled = wereEnabled & 1 << UInt64(other) != 0
            if other == thread || state.hasEnded(other) || state.isEnabled(other) == wasEnabled { return true }
            var footprint = footprint(of: state.ruling(on: other), other, state)
            // Before the step, a thread in a wait also depended on its condition, and on the number of spurious
            // wake-ups left.
            if wereWaiting & 1 << UInt64(other) != 0 {
                footprint.append(Access(Int32(truncatingIfNeeded: state.operation(of: other).object), isWrite: true))
                if couldWakeSpuriously { footprint.append(Access(Access.spuriousBudget, isWrite: true)) }
            }
            return depends(footprint, on: touched)
        }
    }

    private func footprint(of ruling: Ruling, _ thread: Int, _ state: MachineState) -> [Access] {
        [Access](unsafeUninitializedCapacity: state.longestFootprint) { buffer, count in
            count = state.footprint(of: ruling, by: thread, into: buffer.baseAddress!)
        }
    }

    private func depends(_ footprint: [Access], on step: [Access]) -> Bool {
        footprint.contains { access in
            step.contains { other in
                other.thing == Access.world
                    || (access.thing == other.thing && (access.isWrite || other.isWrite))
            }
        }
    }
}
