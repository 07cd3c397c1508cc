/// The forms of a scenario, each with what is expected of it.
public protocol ScenarioVariant: ParameterChoice {
    /// How a run of this form may end.
    var expectation: Expectation { get }
}
