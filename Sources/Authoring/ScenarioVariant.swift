/// The variants of a scenario, each with its expectation.
public protocol ScenarioVariant: ParameterChoice {
    /// How a run of this variant may end.
    var expectation: Expectation { get }
}
