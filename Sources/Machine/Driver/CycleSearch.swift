/// When an execution's driver looks for a cycle of states.
package enum CycleSearch: Sendable {
    /// Now and then: executions of ordinary length are not slowed down.
    case sometimes
    /// When the chooser's plan has ended: a schedule that ends where a cycle closes shows that cycle.
    case atPlansEnd
    /// Before each step. While the chooser has a plan, only for a cycle that should not be.
    case always
    /// The same, and nothing else is sought: states that differ only in what counts are the same in all respects.
    case alwaysForCycle

    var isAlways: Bool { self == .always || self == .alwaysForCycle }
}
