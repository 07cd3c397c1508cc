/// When an execution's driver looks for a cycle of states.
package enum CycleSearch: Sendable {
    /// Now and then: an execution of usual length is not slowed down.
    case sometimes
    /// When the chooser has no plan any more: a schedule that ends where a cycle closes shows that cycle.
    case atPlansEnd
    /// Before each step.
    case always
}
