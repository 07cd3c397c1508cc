import Authoring

/// A scenario that measures how long work takes. All of that work is done by `work`, and the scenario checks its
/// result.
package protocol WorkingScenario: Scenario {
    /// Tests replace it with work of which some is left out, which the scenario must notice.
    var work: Work { get set }
}
