import LabSyntax
import Text

/// Code that is well-formed, but not allowed where it is.
enum RuleProblem: Problem {
    /// The text in `valueReturned` if the `return` is in a function: the help then says how to declare a result.
    static let function = "this function"

    case notConstant(instead: String?)
    case outsideOfLoop(String)
    /// A `return` with a value, where none can be returned.
    case valueReturned(from: String)
    /// A `return` without a value, and the type of the function's result.
    case nothingReturned(ValueType)
    case missingReturn(String)
    /// The functions of a cycle of calls, the first one also at the end.
    case recursion([String])
    /// A memory order, the operation that cannot have it, and the orders that it can have.
    case impossibleOrder(String, of: String, possible: [String])
    case tooManyOrderings
    case notInAwait(String)
    case notObservable(String)
    case secondFinally
    case secondRun
    case runAmongOthers
    case noProgramPath
    case parameterOfProgram(String)
    /// An argument of a compiled program that is not a string literal.
    case giftIsText
    case openQuotation
    /// The name of an environment variable that a program must not be given.
    case loadedCode(String)
    case textForScenario
    case valuesOfBuiltIn
    case argumentTwice(String)
    case completesAndMore
    case completesAndBroken
    /// A second claim of a kind that a file can have only once for a memory model.
    case secondRuns
    case notARow
    case differentRow([String])
    case variableTwice(String)
    case noRows
    case parameterFirst
    /// The plural noun of what is limited, and the limit.
    case tooMany(String, Int)
    case tooManyVariables
    case tooManyStackedVariables
    /// The name of a given variable, and all given functions, which the help suggests.
    case changeOfGiven(String, by: [String])
    case secondTask
    case secondSpecification
    case emptySpecification
    case noSpecification
    /// A word that a specification's function cannot use: it says nothing about the result, or leaves it open.
    case notSequential(String)
    case otherSignature(String)
    /// A specified function, and a function without specification that calls it.
    case callInFunction(String, in: String)

    package var message: String {
        switch self {
        case .notConstant: "a constant is needed here: numbers and parameters"
        case .outsideOfLoop(let word): "'\(word)' is allowed only in a loop"
        case .valueReturned(let place): "\(place) returns no value"
        case .nothingReturned(let type): "this function returns \(type.noun)"
        case .missingReturn(let name): "\(quoted(name)) does not return a value on every path"
        case .recursion(let path): "a function cannot call itself: \(path.map(\.printable).joined(separator: " → "))"
        case .impossibleOrder(let word, let what, _): "\(what) cannot have the order '\(word)'"
        case .tooManyOrderings: "this takes fewer memory orderings"
        case .notInAwait(let what): "'await' can only read values: \(what) is not allowed in it"
        case .notObservable(let what): "an expectation can only read variables: \(what) is not allowed in it"
        case .secondFinally: "there is a second 'finally'"
        case .secondRun: "there is a second 'run'"
        case .runAmongOthers: "a file with 'run' can contain only parameters and expectations"
        case .noProgramPath: "a program is named by its path, as in run \"./bank\""
        case .parameterOfProgram(let name): "a program takes no parameters: \(quoted(name)) cannot reach it"
        case .giftIsText: "what a program is given is a text in quotation marks"
        case .openQuotation: "this text is read as a shell reads words, and a quotation mark in it is not closed"
        case .loadedCode(let name): "\(quoted(name)) makes a program load other code: a file does not give it"
        case .textForScenario: "a built-in scenario takes no texts: write a word or a constant"
        case .valuesOfBuiltIn: "what a file runs has no variables in it: this says nothing about its runs"
        case .argumentTwice(let name): "\(quoted(name)) has a value already"
        case .completesAndMore: "'completes' cannot be combined with other outcomes"
        case .completesAndBroken:
            "'completes' cannot be combined with 'broken': a run that breaks a claim does not complete"
        case .secondRuns: "this expectation is a duplicate"
        case .notARow: "an outcome gives the values of variables: 'x == 1 && y == 0'"
        case .differentRow(let names):
            "each outcome must give the values of the same variables: \(names.map(\.printable).joined(separator: ", "))"
        case .variableTwice(let name): "this outcome gives two values of \(quoted(name))"
        case .noRows: "an outcome is missing"
        case .parameterFirst: "a parameter's value cannot depend on parameters"
        case .tooMany(let what, let limit): "a program has at most \(limit) \(what)"
        case .tooManyVariables: "a thread has at most \(Limits.variables) variables"
        case .tooManyStackedVariables:
            "a thread and the functions that it calls have at most \(Limits.stackedVariables) variables at once"
        case .changeOfGiven(let name, _):
            "\(quoted(name)) is given: only given functions and given threads may change it"
        case .secondTask: "there is a second 'task'"
        case .secondSpecification: "there is a second 'specification'"
        case .emptySpecification: "this specification has no functions"
        case .noSpecification: "there is no specification that says what the functions should do"
        case .notSequential(let word):
            "a specification's function has one result and takes no time: '\(word)' has no place in it"
        case .otherSignature(let name):
            "\(quoted(name)) has other parameters or another result than the function that it specifies"
        case .callInFunction(let inner, let outer):
            "\(quoted(outer)) calls \(quoted(inner)), which is specified: only calls by threads can be linearized"
        }
    }

    package var help: String? {
        switch self {
        case .notConstant(let instead): instead
        case .loadedCode: "set it where threadlab is started"
        case .valuesOfBuiltIn: "an expectation can say how its runs end, or which warning they show"
        case .changeOfGiven(_, let functions):
            functions.isEmpty ? nil : "call \(functions.map(\.printable).joined(separator: " or "))"
        case .recursion: "write a loop"
        case .noSpecification: "for example 'specification { shared x = 0; func get() -> Int { return x } }'"
        case .emptySpecification: "write functions with the names of those that they specify"
        case .callInFunction(let inner, let outer):
            "specify \(quoted(outer)) too, or call \(quoted(inner)) in the threads"
        case .impossibleOrder(_, _, let possible):
            "write \(possible.dropLast().map { "'\($0)'" }.joined(separator: ", ")) or '\(possible.last ?? "")'"
        case .valueReturned(let place):
            place == Self.function ? "write 'return' alone, or '-> Int' before the body" : "write 'return' alone"
        default: nil
        }
    }
}
