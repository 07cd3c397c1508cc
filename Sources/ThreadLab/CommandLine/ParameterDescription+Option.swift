import Arguments
import Authoring
import Text

extension ParameterDescription {
    /// The command line's option for the parameter.
    var option: Option {
        let help = help.prefix(1).uppercased() + help.dropFirst()
        switch form {
        case .integer:
            let lower = range.flatMap { Int($0.lower) } ?? .min
            let upper = range.flatMap { Int($0.upper) } ?? .max
            return .integer(name, in: lower...upper, default: Int(defaultValue), help)
        case .duration:
            let lower = range.flatMap { DurationText.read($0.lower) } ?? 0
            let upper = range.flatMap { DurationText.read($0.upper) } ?? .max
            return .duration(name, in: lower...upper, default: defaultValue, help)
        case .choice(let choices):
            let words = choices.map { KnownWord($0.word, $0.summary) }
            let placeholder = name.first.map { String($0).uppercased() } ?? "WORD"
            return .choice(name, words, default: defaultValue, placeholder: placeholder, help)
        }
    }
}
