/// What is wrong with the way in which the words of a file follow each other.
enum SyntaxProblem: Problem {
    case expected(String, found: String)
    case missingScenario
    case secondScenario
    case unknownItem(String, instead: String?)
    case statementOutside(String)
    case declarationInside(String)
    case openBrace(before: String)
    case openBracket(String)
    case looseBrace
    case keywordAsName(String)
    case noStatementEnd(found: String, hint: String?)
    case tooDeep
    case tooHigh
    case comparisonChain
    case increment(String)
    case noSuchOperator(String, instead: String?)
    case tooManyErrors

    case integerTooLarge(String)
    case notANumber(String)
    case fraction(String)
    case unknownUnit(String)
    case durationTooLong(String)
    case durationTooFine(String)

    case emptyInterpolation
    case textAsValue
    case unknownModel(String)
    case rangeAsValue
    case missingInitialValue
    case textInsteadOfName(String)

    var message: String {
        switch self {
        case .expected(let what, let found): "expected \(what), found \(found)"
        case .missingScenario: "the file must begin with the scenario's name"
        case .secondScenario: "a file holds one scenario, and this is a second one"
        case .unknownItem(let word, _): "\(quoted(word)) begins no declaration"
        case .statementOutside(let word):
            "\(quoted(word)) is a statement, and stands in a thread, a function or 'finally'"
        case .declarationInside(let word): "'\(word)' is declared outside of threads and functions"
        case .openBrace(let before): "a '}' is missing before \(before)"
        case .openBracket(let sign): "a '\(sign)' is missing"
        case .looseBrace: "this '}' closes nothing"
        case .keywordAsName(let word): "'\(word)' is a word of the language and cannot be a name"
        case .noStatementEnd(let found, _): "expected the end of the statement, found \(found)"
        case .tooDeep: "this is nested more than \(Limits.nesting) deep"
        case .tooHigh: "this expression has more than \(Limits.nesting) operators in a row or inside each other"
        case .comparisonChain: "comparisons cannot be chained"
        case .increment(let sign): "there is no '\(sign)'"
        case .noSuchOperator(let sign, _): "there is no '\(sign)'"
        case .tooManyErrors: "too many errors: the rest is not shown"
        default: valueMessage
        }
    }

    private var valueMessage: String {
        switch self {
        case .integerTooLarge(let digits): "\(quoted(digits)) does not fit into 64 bits"
        case .notANumber(let word): "\(quoted(word)) is no number"
        case .fraction(let digits): "\(quoted(digits)): a fraction needs a unit of time"
        case .unknownUnit(let unit): "\(quoted(unit)) is no unit of time"
        case .durationTooLong(let word): "\(quoted(word)) is longer than 292 years"
        case .durationTooFine(let word): "\(quoted(word)) is not a whole number of nanoseconds"
        case .emptyInterpolation: "'\\( )' must hold a value"
        case .textAsValue: "a text stands only after 'note', and in 'assert' after the condition"
        case .unknownModel(let word): "\(quoted(word)) is no memory model"
        case .rangeAsValue: "a range stands only in 'for' and after a parameter's 'in'"
        case .missingInitialValue: "a first value is missing"
        case .textInsteadOfName(let what): "\(what) has a name without quotation marks"
        default: ""
        }
    }

    var help: String? {
        switch self {
        case .missingScenario: "write 'scenario \"name\"' here"
        case .unknownItem(_, let instead): instead
        case .declarationInside(Keyword.shared.rawValue): "for a variable of this thread write 'let' or 'var'"
        case .keywordAsName: "choose another name"
        case .noStatementEnd(_, let hint): hint ?? "statements are separated by new lines or ';'"
        case .tooDeep: "move a part into a function"
        case .tooHigh: "give a part of it a name with 'let'"
        case .comparisonChain: "write 'a < b && b < c'"
        case .increment(let sign): "write '\(sign.prefix(1))= 1'"
        case .noSuchOperator(_, let instead): instead
        case .integerTooLarge: "the greatest number is \(Int.max)"
        case .fraction: "for example 1.5s"
        case .unknownUnit: "known are ns, us, ms, s and m"
        case .unknownModel: "known are seqcst and weak"
        case .missingInitialValue: "for example '= 0'"
        default: nil
        }
    }
}
