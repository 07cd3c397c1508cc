/// How hard a schedule is for a reader to follow: preemptions count first, then steps.
package struct ScheduleCost: Comparable, Sendable {
    /// Switches away from a thread that could have continued.
    package let preemptions: Int
    package let steps: Int

    package init(preemptions: Int, steps: Int) {
        self.preemptions = preemptions
        self.steps = steps
    }

    package static func < (a: Self, b: Self) -> Bool { (a.preemptions, a.steps) < (b.preemptions, b.steps) }
}
