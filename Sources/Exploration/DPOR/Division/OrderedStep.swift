import Machine

/// A step whose order relative to another divides a search: a thread's first, second, … change of an object.
///
/// Only steps that always change their object qualify. Two such steps of different threads on one object are dependent
/// in every execution, so they come in the same order in all equivalent executions.
package struct OrderedStep: Hashable, Sendable {
    package let thread: UInt16
    package let object: ObjectIdentity
    /// The step's number, from 0.
    package let number: Int

    package init(thread: UInt16, object: ObjectIdentity, number: Int) {
        self.thread = thread
        self.object = object
        self.number = number
    }

    /// Whether steps of this kind qualify.
    static func counts(_ kind: Operation.Kind) -> Bool { kind.alwaysWrites }
}
