/// A value of a scenario that the command line can set. It is declared once, with its default, its help and its range.
/// ```swift
/// @Parameter("capacity of the buffer, in items", in: 1...64) var capacity = 2
/// ```
/// This gives the option `--capacity N`, its line in `show` and `help`, its error messages and its completions.
@propertyWrapper
public struct Parameter<Value: ParameterValue>: Sendable {
    /// What a parameter consists of, behind a single reference: scenarios are copied into every closure that uses them,
    /// and a copy should be cheap.
    private final class Declaration: @unchecked Sendable {
        /// Set by one thread while the scenario is being configured, and only read while it runs.
        @exclusivity(unchecked) var value: Value
        let defaultValue: Value
        let help: String
        let range: Range?

        init(_ value: Value, _ help: String, _ range: Range?) {
            self.value = value
            defaultValue = value
            self.help = help
            self.range = range
        }

        init(_ value: Value, like other: Declaration) {
            self.value = value
            defaultValue = other.defaultValue
            help = other.help
            range = other.range
        }
    }

    /// The values that are accepted.
    private struct Range: Sendable {
        let lower: Value
        let upper: Value
        let contains: @Sendable (Value) -> Bool
    }

    private var declaration: Declaration

    /// The value. Setting it in Swift code, as in a test, ignores the range.
    public var wrappedValue: Value {
        get { declaration.value }
        // Only this copy of the scenario gets the new value.
        set { declaration = Declaration(newValue, like: declaration) }
    }

    public init(wrappedValue: Value, _ help: String) {
        self.init(wrappedValue, help, nil)
    }

    /// A parameter that accepts only values in the range.
    public init(wrappedValue: Value, _ help: String, in range: ClosedRange<Value>) where Value: Comparable {
        self.init(
            wrappedValue, help,
            Range(lower: range.lowerBound, upper: range.upperBound, contains: { range.contains($0) }))
    }

    private init(_ value: Value, _ help: String, _ range: Range?) {
        declaration = Declaration(value, help, range)
    }
}

extension Parameter: AnyParameter {
    func description(named name: String) -> ParameterDescription {
        ParameterDescription(
            name: name, help: declaration.help, form: Value.form, defaultValue: declaration.defaultValue.argument,
            range: declaration.range.map { ($0.lower.argument, $0.upper.argument) })
    }

    var argument: String { declaration.value.argument }

    func set(to argument: String, beyondRange: Bool) -> Bool {
        guard let value = Value(argument: argument) else { return false }
        if let range = declaration.range, !range.contains(value), !beyondRange { return false }
        declaration.value = value
        return true
    }
}

/// A parameter whose type of value is not known.
protocol AnyParameter {
    func description(named name: String) -> ParameterDescription
    /// The current value, as typed on a command line.
    var argument: String { get }
    /// Sets the value. Returns false, without changing anything, if the text is not a value of the parameter's type and
    /// range.
    ///
    /// - Parameter beyondRange: whether the range is ignored.
    func set(to argument: String, beyondRange: Bool) -> Bool
}

/// A parameter as the command line shows it.
public struct ParameterDescription: Sendable {
    /// The option's name, without the two hyphens.
    public let name: String
    public let help: String
    public let form: ParameterForm
    public let defaultValue: String
    /// The least and the greatest value.
    public let range: (lower: String, upper: String)?

    package init(
        name: String, help: String, form: ParameterForm, defaultValue: String, range: (lower: String, upper: String)?
    ) {
        self.name = name
        self.help = help
        self.form = form
        self.defaultValue = defaultValue
        self.range = range
    }
}

extension Scenario {
    /// The parameters in the order of declaration.
    package static var parameters: [ParameterDescription] {
        Self().wrappers.map { $0.parameter.description(named: $0.name) }
    }

    /// The current values by name, in the order of declaration.
    package var arguments: [(name: String, value: String)] {
        wrappers.map { ($0.name, $0.parameter.argument) }
    }

    /// Sets a parameter. Returns false if there is none of this name, or if the text is not a valid value.
    ///
    /// - Parameter beyondRange: whether the range is ignored, for measurements that need more than it allows.
    package func set(_ name: String, to argument: String, beyondRange: Bool = false) -> Bool {
        guard let wrapper = wrappers.first(where: { $0.name == name }) else { return false }
        return wrapper.parameter.set(to: argument, beyondRange: beyondRange)
    }

    /// The parameters of the scenario, by the names of their options.
    private var wrappers: [(name: String, parameter: any AnyParameter)] {
        Mirror(reflecting: self).children.compactMap { child in
            guard let label = child.label, let parameter = child.value as? any AnyParameter else { return nil }
            return (Self.optionName(of: label), parameter)
        }
    }

    /// The option's name for a property: `chunk-size` for `_chunkSize` and `_chunk_size`.
    private static func optionName(of label: String) -> String {
        var name = ""
        for character in label.drop(while: { $0 == "_" }) {
            name += character == "_" ? "-" : character.isUppercase ? "-\(character.lowercased())" : String(character)
        }
        return name
    }
}
