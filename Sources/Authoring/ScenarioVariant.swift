/// The variants of a scenario, each with its expectation.
public protocol ScenarioVariant: ParameterChoice {
    /// How a run of this variant may end.
    var expectation: Expectation { get }
    /// A section that this variant follows, if it is not the scenario's.
    var guide: Guide? { get }
}

extension ScenarioVariant {
    public var guide: Guide? { nil }
}
