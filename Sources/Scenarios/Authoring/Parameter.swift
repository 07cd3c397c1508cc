/// A value of a scenario that the command line can set: declared once, with its default, its help and its range.
/// ```swift
/// @Parameter("how many items fit into the buffer", in: 1...64) var capacity = 2
/// ```
/// gives the option `--capacity N`, its line in `show` and `help`, its error messages and its completions.
@propertyWrapper
public struct Parameter<Value: ParameterValue>: Sendable {
    /// Set while the scenario is being configured, by one thread; only read while it runs.
    private final class Box: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let box: Box
    private let help: String
    private let range: ClosedRange<Value>?
    private let defaultValue: Value

    public var wrappedValue: Value { box.value }

    public init(wrappedValue: Value, _ help: String) {
        self.init(wrappedValue, help, nil)
    }

    /// - Parameter range: the values that are accepted.
    public init(wrappedValue: Value, _ help: String, in range: ClosedRange<Value>) where Value: Comparable {
        self.init(wrappedValue, help, range)
    }

    private init(_ value: Value, _ help: String, _ range: ClosedRange<Value>?) {
        box = Box(value)
        defaultValue = value
        self.help = help
        self.range = range
    }
}

extension Parameter: AnyParameter {
    func description(named name: String) -> ParameterDescription {
        ParameterDescription(
            name: name, help: help, form: Value.form, defaultValue: defaultValue.argument,
            range: range.map { ($0.lowerBound.argument, $0.upperBound.argument) })
    }

    var argument: String { box.value.argument }

    func set(to argument: String) -> Bool {
        guard let value = Value(argument: argument) else { return false }
        if let range, !range.contains(value) { return false }
        box.value = value
        return true
    }
}

/// A parameter, whatever its type.
protocol AnyParameter {
    func description(named name: String) -> ParameterDescription
    /// The present value, as one would type it.
    var argument: String { get }
    /// False if the text is no value of the parameter's type and range: nothing has changed then.
    func set(to argument: String) -> Bool
}
