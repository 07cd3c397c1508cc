import Trace

extension Effect {
    /// Whether it only creates, begins, joins or ends a thread.
    var isOfThreadsLife: Bool {
        switch self {
        case .createThread, .startThread, .joinThread, .endThread(isKilled: false), .wait(.threadEnd): true
        case .none, .detachThread, .endThread, .cutOffThread, .yield, .sleep, .awake, .setPriority, .limitWait,
            .attempt,
            .wait, .take, .release, .takePermit, .givePermit, .refuse, .park, .unpark, .signal, .read, .write, .update,
            .mismatch, .append, .fence, .weaken, .reorder, .choose, .fail, .misuse, .cleanUp, .endRun:
            false
        }
    }
}
