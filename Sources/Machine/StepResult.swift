import Trace

/// What one step gave to the thread that took it.
public struct StepResult: Sendable {
    public enum Status: UInt8, Sendable { case done, blocked, misuse }

    /// `blocked`: the operation goes on (a wait has begun, or half ended), and the thread must be chosen again before it returns.
    public var status: Status
    /// The value that the operation returns; of a misuse, its kind.
    public var value: Int

    @inlinable init(_ status: Status, _ value: Int) {
        self.status = status
        self.value = value
    }

    @inlinable static func done(_ value: Int = 0) -> Self { Self(.done, value) }
    @inlinable static func done(_ value: Bool) -> Self { Self(.done, value ? 1 : 0) }
    @usableFromInline static func misuse(_ kind: MisuseKind) -> Self { Self(.misuse, Int(kind.rawValue)) }
    @usableFromInline static var blocked: Self { Self(.blocked, 0) }

    public var misuse: MisuseKind? { status == .misuse ? MisuseKind(rawValue: UInt8(value)) : nil }
}
