import Machine

extension Operation {
    /// Whether it releases something: it never blocks, and cleanup code performs it.
    var isRelease: Bool {
        switch kind {
        case .unlock, .unlockShared, .semaphoreSignal, .signal, .broadcast, .destroy: true
        default: false
        }
    }
}
