/// When an execution's driver looks for a cycle of states.
package enum CycleSearch: Sendable {
    /// Now and then: executions of ordinary length are not slowed down.
    case sometimes
    /// When the chooser's plan has ended: a schedule that ends where a cycle closes shows that cycle.
    case atPlansEnd
    /// Before each step. While the chooser has a plan, only for a cycle that should not be.
    case always
}
