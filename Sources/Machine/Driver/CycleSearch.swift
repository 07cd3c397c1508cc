/// When an execution's driver looks for a cycle of states.
package enum CycleSearch: Sendable {
    /// In some intervals, so that executions of ordinary length are not slowed down.
    case sometimes
    /// When the chooser's plan has ended: a schedule that ends where a cycle closes shows that cycle.
    case atPlansEnd
    /// Before each step. While the chooser follows a plan, only cycles that are errors count.
    case always
    /// Like `always`, and only cycles are sought: states that differ only in counters are then equal in all respects.
    case alwaysForCycle

    var isAlways: Bool { self == .always || self == .alwaysForCycle }
}
