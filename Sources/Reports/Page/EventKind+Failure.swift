import Trace

extension EventKind {
    /// Whether the event is what the reader looks for.
    var isFailure: Bool {
        switch self {
        case .assertionFailed, .noProgress, .misuse, .threadError, .threadCutOff, .runCrash, .runKilled, .runTimeout,
            .runStepLimit,
            .runInterrupted, .runQuit, .runDiverged:
            true
        default: false
        }
    }
}
