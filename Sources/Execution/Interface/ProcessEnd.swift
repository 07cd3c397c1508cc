/// How another process ended.
package enum ProcessEnd: Equatable, Sendable {
    case exited(Int)
    case killed(by: Int)
}
