import Machine

/// A schedule after which the program ended its process, or never reached another step.
package struct FatalEnd: Equatable, Sendable {
    package let schedule: Schedule
    /// `crash` or `hang`.
    package let verdict: Verdict
    package let place: Int

    package init(_ verdict: Verdict, place: Int, schedule: Schedule) {
        self.verdict = verdict
        self.place = place
        self.schedule = schedule
    }
}
