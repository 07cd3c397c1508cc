import Machine
import Trace

/// A model: a semaphore counts pending signals, and a thread that gets one takes a permit.
extension ControlledRuntime {
    package func installSignal(_ hook: any StepHook) -> Bool {
        guard present.signalHook == nil else { return false }
        present.signalHook = hook
        present.hasHooks = true
        return true
    }

    package var blocksSignal: Bool {
        get { present.signalBlocked.contains(current) }
        set {
            if newValue { present.signalBlocked.insert(current) } else { present.signalBlocked.remove(current) }
            present.hasHooks = true
        }
    }

    package func sendSignal(_ pending: RuntimeObject, at site: SourceSite) throws {
        _ = try perform(Operation(.semaphoreSignal, pending.id), on: pending, with: nil, at: site)
    }

    package func takeSignal(_ pending: RuntimeObject) throws -> Bool {
        try perform(Operation(.semaphoreTryWait, pending.id), on: pending, with: nil, at: .unknown) != 0
    }

    package func waitForSignal(_ pending: RuntimeObject, at site: SourceSite) throws {
        _ = try perform(Operation(.semaphoreWait, pending.id), on: pending, with: nil, at: site)
    }
}
