import Trace

extension Effect {
    /// Whether the event only creates, begins, awaits, joins or ends a thread. Pictures of a run treat such steps as
    /// less important than others.
    var isOfThreadsLife: Bool {
        switch self {
        case .createThread, .startThread, .joinThread, .endThread(isKilled: false), .wait(.threadEnd): true
        case .none, .detachThread, .endThread, .cutOffThread, .yield, .sleep, .awake, .setPriority, .limitWait,
            .attempt,
            .wait, .take, .release, .takePermit, .givePermit, .refuse, .park, .unpark, .signal, .read, .write, .free,
            .update, .mismatch, .append, .fence, .weaken, .reorder, .choose, .fail, .misuse, .cleanUp, .endRun:
            false
        }
    }
}
