import Authoring

/// A scenario that measures the duration of work. It does no other work than this, whose result is checked.
package protocol WorkingScenario: Scenario {
    /// Tests replace it with work that is partly left out.
    var work: Work { get set }
}
