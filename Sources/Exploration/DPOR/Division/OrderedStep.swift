import Machine

/// A step by which the work of a search is divided: a thread's first, second, … change of an object.
///
/// Only steps that always change their object count, so two such steps of different threads on one object are dependent in every
/// execution: in all executions of one kind they come in the same order.
package struct OrderedStep: Hashable, Sendable {
    package let thread: UInt16
    package let object: ObjectIdentity
    /// From 0 on.
    package let number: Int

    package init(thread: UInt16, object: ObjectIdentity, number: Int) {
        self.thread = thread
        self.object = object
        self.number = number
    }

    /// Whether such operations count.
    static func counts(_ kind: Operation.Kind) -> Bool { kind.alwaysWrites }
}
