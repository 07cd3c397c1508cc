/// When an execution's driver looks for a cycle of states.
package enum CycleSearch: Sendable {
    /// In some intervals, so that executions of ordinary length are not slowed down.
    case sometimes
    /// When the chooser's plan ends, because the schedule of an execution that ended in a cycle ends where the cycle
    /// closes.
    case atPlansEnd
    /// Before each step. While the chooser follows a plan, only cycles that are errors count.
    case always
    /// Like `always`, for a search that seeks nothing but cycles: states that differ only in counters then count as
    /// equal in every respect.
    case alwaysForCycle

    var isAlways: Bool { self == .always || self == .alwaysForCycle }
}
