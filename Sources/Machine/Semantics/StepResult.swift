import Trace

/// The result of one step for the thread that took it.
package struct StepResult: Sendable {
    package enum Status: UInt8, Sendable, BitwiseCopyable {
        /// The operation is complete, and returns.
        case done
        /// The operation is not complete: a wait has begun, or is partly over. The thread must be chosen again.
        case blocked
        case misuse
    }

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
