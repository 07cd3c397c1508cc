import Trace

/// The result of one step for the thread that took it.
package struct StepResult: Sendable {
    package enum Status: UInt8, Sendable, BitwiseCopyable { case done, blocked, misuse }

    /// `blocked`: the operation continues (a wait has begun, or is partly over), and the thread must be chosen again
    /// before it returns.
    package var status: Status
    /// What the step did.
    package var act: Act
    /// The value that the operation returns; for a misuse, its kind.
    package var value: Int

    init(_ status: Status, _ value: Int, _ act: Act) {
        self.status = status
        self.value = value
        self.act = act
    }

    package var misuse: MisuseKind? { status == .misuse ? MisuseKind(rawValue: UInt8(value)) : nil }
}
