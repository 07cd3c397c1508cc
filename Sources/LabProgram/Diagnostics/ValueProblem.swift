import LabSyntax

/// Problems with the values of constants.
enum ValueProblem: Problem {
    case noResult(Operator.NoResult)
    case outOfRange(String, Int, ClosedRange<Int>)
    case outOfBounds(String, Int, ClosedRange<Int>)
    case emptyRange
    case wrongNumberOfValues(Int, Int)
    case tooManyObjects
    case tooManyThreads
    case noChoice(Int)
    case negativeTime

    package var message: String {
        switch self {
        case .noResult(let reason): "this has no value: \(reason.explanation)"
        case .outOfRange(let name, let value, let range):
            "\(quoted(name)) is \(value), but must be \(Self.words(range))"
        case .outOfBounds(let what, let value, let range): "\(what) is \(value), but must be \(Self.words(range))"
        case .emptyRange: "this range is empty"
        case .wrongNumberOfValues(let values, let elements):
            "there \(values == 1 ? "is 1 value" : "are \(values) values") for \(elements) elements"
        case .tooManyObjects: "a program has at most \(Limits.objects) variables, locks and so on"
        case .tooManyThreads: "a program has at most \(Limits.threads) threads"
        case .noChoice(let count): "cannot choose among \(count) values"
        case .negativeTime: "a time cannot be negative"
        }
    }

    private static func words(_ range: ClosedRange<Int>) -> String {
        if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
        if range.upperBound == .max { return "at least \(range.lowerBound)" }
        return "from \(range.lowerBound) to \(range.upperBound)"
    }
}
