import LabSyntax
import Text

/// Something that is well-formed where it does not belong.
enum RuleProblem: Problem {
    case notConstant
    case outsideOfLoop(String)
    case valueReturned(from: String)
    case nothingReturned(ValueType)
    case missingReturn(String)
    case recursion([String])
    case weakOrdering(String)
    case tooManyOrderings
    case notInAwait(String)
    case notObservable(String)
    case secondFinally
    case secondRun
    case runAmongOthers
    case completesAndMore
    case secondRuns
    case notARow
    case differentRow([String])
    case noRows
    case conditionMutex(String)
    case parameterFirst
    case noStepInExpectation
    case tooMany(String, Int)
    case tooManyVariables
    case firstValueOfLock

    package var message: String {
        switch self {
        case .notConstant: "a constant is needed here: numbers and parameters"
        case .outsideOfLoop(let word): "'\(word)' stands only in a loop"
        case .valueReturned(let place): "\(place) returns no value"
        case .nothingReturned(let type): "this function returns \(type.noun)"
        case .missingReturn(let name): "\(quoted(name)) does not return a value on every way out"
        case .recursion(let path): "a function cannot call itself: \(path.map(\.printable).joined(separator: " → "))"
        case .weakOrdering(let word): "not yet: '\(word)' needs the weak-memory model"
        case .tooManyOrderings: "this takes fewer memory orderings"
        case .notInAwait(let what): "'await' only looks: \(what) cannot stand in it"
        case .notObservable(let what): "an expectation only looks at variables: \(what) cannot stand in it"
        case .secondFinally: "there is a second 'finally'"
        case .secondRun: "there is a second 'run'"
        case .runAmongOthers: "a file that runs a built-in scenario has only parameters and expectations beside it"
        case .completesAndMore: "'completes' means that nothing else happens, ever"
        case .secondRuns: "this expectation is there already"
        case .notARow: "an outcome says what variables are: 'x == 1 && y == 0'"
        case .differentRow(let names):
            "each outcome must say what the same variables are: \(names.map(\.printable).joined(separator: ", "))"
        case .noRows: "there is no outcome"
        case .conditionMutex(let name): "\(quoted(name)) is no mutex, and a condition needs one"
        case .parameterFirst: "a parameter's value cannot depend on parameters"
        case .noStepInExpectation: "an expectation cannot take a step"
        case .tooMany(let what, let limit): "a program has at most \(limit) \(what)"
        case .tooManyVariables: "a thread has at most \(Limits.variables) variables"
        case .firstValueOfLock: "this takes no first value"
        }
    }

    package var help: String? {
        switch self {
        case .recursion: "write a loop"
        case .weakOrdering: "leave it out: atomics are sequentially consistent"
        case .valueReturned: "write 'return' alone"
        default: nil
        }
    }
}
