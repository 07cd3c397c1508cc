extension Lab {
    /// Foundation's `QualityOfService`, which is ignored: the scheduler decides.
    public enum QualityOfService: Int, Sendable {
        case userInteractive = 33
        case userInitiated = 25
        case utility = 17
        case background = 9
        case `default` = -1
    }
}
