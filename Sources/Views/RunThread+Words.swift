import Diagnosis
import Trace

extension RunMoment {
    /// What the thread does, without its name: `waits for b at Deadlock.swift:22, which second holds`.
    package func words(_ thread: RunThread, in names: Names) -> String {
        switch thread.activity {
        case .notCreated: "not created"
        case .created: "created"
        case .running: "runs"
        case .asleep: "sleeps"
        case .waiting(let wait):
            names.words(wait, heldBy: thread.blockers.filter { graph.hold(awaitedBy: wait, of: $0) != nil })
        case .ended: "ended"
        case .killed: "killed"
        case .cutOff: "cut off"
        }
    }
}
