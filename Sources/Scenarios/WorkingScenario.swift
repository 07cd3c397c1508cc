import Authoring

/// A scenario that measures how long work takes. It does no other work than this, whose result is checked.
package protocol WorkingScenario: Scenario {
    /// Tests replace it with work of which some is left out.
    var work: Work { get set }
}
