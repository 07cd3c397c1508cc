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

    /// Sets a parameter. Returns false if the text is not a valid value.
    ///
    /// - Parameter beyondRange: for measurements, which may need more than the range allows.
    package func set(_ name: String, to argument: String, beyondRange: Bool = false) -> Bool {
        guard let wrapper = wrappers.first(where: { $0.name == name }) else { return false }
        return wrapper.parameter.set(to: argument, beyondRange: beyondRange)
    }

    private var wrappers: [(name: String, parameter: any AnyParameter)] {
        Mirror(reflecting: self).children.compactMap { child in
            guard let label = child.label, let parameter = child.value as? any AnyParameter else { return nil }
            return (Self.optionName(of: label), parameter)
        }
    }

    /// `_chunkSize` → `chunk-size`, and so `_chunk_size`
    private static func optionName(of label: String) -> String {
        var name = ""
        for character in label.drop(while: { $0 == "_" }) {
            name += character == "_" ? "-" : character.isUppercase ? "-\(character.lowercased())" : String(character)
        }
        return name
    }
}
