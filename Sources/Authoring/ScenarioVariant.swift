/// The variants of a scenario, each with its expectation.
public protocol ScenarioVariant: ParameterChoice {
    /// How a run of this variant may end.
    var expectation: Expectation { get }
    /// The parameters that make no difference to this variant: reports of its runs do not show them.
    var unusedParameters: Set<String> { get }
    /// A section that this variant follows, if it is not the scenario's.
    var guide: Guide? { get }
}

extension ScenarioVariant {
    public var unusedParameters: Set<String> { [] }
    public var guide: Guide? { nil }
}
