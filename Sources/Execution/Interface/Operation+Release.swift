import Machine

extension Operation {
    /// Whether it gives something up: it never blocks, and code that cleans up behind itself does it.
    var isRelease: Bool {
        switch kind {
        case .unlock, .unlockShared, .semaphoreSignal, .signal, .broadcast, .destroy: true
        default: false
        }
    }
}
