import Diagnosis
import LabSyntax
import Text
import Trace

/// Problems with names: unknown names, and names of the wrong kind of object.
enum NameProblem: Problem {
    case unknown(String, what: String, hint: String?)
    case declaredTwice(String)
    case threadMain
    /// A parameter has the name of an option of the command line. `instead` is another name for it.
    case optionName(String, instead: String)
    /// The name is that of another kind of declaration than the one wanted.
    case wrongThing(String, is: String, wanted: String, hint: String?)
    case indexOutside
    case indexInSingleThread(String)
    case indexInFunction
    case unknownScenario(String, hint: String?)
    case unknownParameter(String, of: String, hint: String?)
    case unknownWord(String, hint: String?)
    /// Not one of the inputs of a compiled program: `arguments`, `input` and `environment`.
    case unknownGift(String)
    case unknownOutcome(String)
    case unknownWarning(String)
    case noMember(String, of: String, known: [String])

    package var message: String {
        switch self {
        case .unknown(let name, let what, _): "there is no \(what) \(quoted(name))"
        case .declaredTwice(let name): "\(quoted(name)) is already declared"
        case .threadMain: "'main' is the thread that starts the others"
        case .optionName(let name, _):
            "a parameter cannot be called \(quoted(name)): the command line has an option '--\(name.printable)' of its own"
        case .wrongThing(let name, let kind, let wanted, _): "\(quoted(name)) is \(kind), not \(wanted)"
        case .indexOutside: "'index' is a thread's number in its array and cannot be used outside of threads"
        case .indexInSingleThread(let name):
            "'index' is a thread's number in its array, but \(quoted(name)) is a single thread"
        case .indexInFunction: "'index' is a thread's number in its array and cannot be used in a function"
        case .unknownScenario(let name, _): "there is no built-in scenario \(quoted(name))"
        case .unknownParameter(let name, let scenario, _): "\(quoted(scenario)) has no parameter \(quoted(name))"
        case .unknownWord(let word, _): "\(quoted(word)) is not a value of this parameter"
        case .unknownGift(let name): "a program is not given \(quoted(name))"
        case .unknownOutcome(let word): "a run cannot end in \(quoted(word))"
        case .unknownWarning(let word): "there is no warning \(quoted(word))"
        case .noMember(let name, let owner, _): "\(owner) has no \(quoted(name))"
        }
    }

    package var help: String? {
        switch self {
        case .unknown(_, _, let hint), .wrongThing(_, _, _, let hint), .unknownScenario(_, let hint),
            .unknownParameter(_, _, let hint), .unknownWord(_, let hint):
            hint
        case .unknownGift(let name):
            suggestion(for: name, among: Program.ProgramCall.Gift.allCases.map(\.rawValue))
                ?? "available: \(Program.ProgramCall.Gift.allCases.map(\.rawValue).joined(separator: ", "))"
        case .declaredTwice, .threadMain: "choose another name"
        case .optionName(_, let other): "call it \(quoted(other)), for example"
        case .indexInSingleThread(let name): "write 'thread \(name.printable)[2]' for two of them"
        case .indexInFunction: "pass it as an argument"
        case .indexOutside: nil
        case .unknownOutcome(let word): Self.outcomeHint(word)
        case .unknownWarning(let word): Self.warningHint(word)
        case .noMember(let name, _, let known): Self.memberHint(name, known)
        }
    }

    private static func outcomeHint(_ word: String) -> String {
        if word == OutcomeKind.claim.rawValue || word == OutcomeKind.brokenClaim.rawValue {
            return "a claim that fails says so itself: 'expect broken always …'"
        }
        if OutcomeWords.others.contains(word) { return "write 'expect \(word)' on a line of its own" }
        if ["no", "not", "nothing", "success", "ok", "pass", "none"].contains(word) {
            return "write 'expect completes'"
        }
        if let warning = WarningKind(word: word) { return "runs can show it: 'expect warning \(warning.rawValue)'" }
        return suggestion(for: word, among: OutcomeWords.all) ?? OutcomeWords.list
    }

    private static func warningHint(_ word: String) -> String {
        if let outcome = OutcomeWords.kind(word) { return "a run can end in it: 'expect \(outcome.rawValue)'" }
        let names = WarningKind.allCases.map(\.rawValue)
        return suggestion(for: word, among: names) ?? "available: \(names.joined(separator: ", "))"
    }

    private static func memberHint(_ name: String, _ known: [String]) -> String? {
        if known.isEmpty { return nil }
        if let same = ForeignWords.member(name, among: known) { return "it is called '\(same)' here" }
        let unique = known.enumerated().filter { !known[..<$0.offset].contains($0.element) }.map(\.element)
        return suggestion(for: name, among: unique) ?? "available: \(unique.joined(separator: ", "))"
    }
}

/// Problems with the values of constants.
enum ValueProblem: Problem {
    case noResult(Operator.NoResult)
    /// A parameter, its value, and the range that it declares.
    case outOfRange(String, Int, ClosedRange<Int>)
    /// Another constant in words, such as "the subscript", its value, and the values that are possible.
    case outOfBounds(String, Int, ClosedRange<Int>)
    case emptyRange
    /// The number of initial values, and that of the array's elements.
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
