/// The errors that the parser reports, with their messages and help.
enum SyntaxProblem: Problem {
    case expected(String, found: String, hint: String?)
    case missingScenario
    case secondScenario
    case unknownItem(String, instead: String?)
    case statementOutside(String, instead: String?)
    case declarationInside(String)
    case openBrace(before: String)
    case looseBrace
    case keywordAsName(String, beginsDeclaration: Bool)
    case noStatementEnd(found: String, hint: String?)
    case tooDeep
    case tooHigh
    case comparisonChain
    case increment(String)
    case assignmentInCondition(instead: String)
    case twoDots
    /// `written` is the code without the type.
    case typeBeforeName(String, written: String)
    /// `written` is the code with the type after a colon.
    case typeWithoutColon(String, written: String)
    case claimWithoutWord
    /// A misplaced `given`. The text is the help: what can follow the word.
    case notGivable(String)
    case notInSpecification
    /// A word that a task cannot forbid.
    case unknownForbidden(String, hint: String?)
    /// The noun for the object, such as "the mutex", and its name.
    case noInitialValue(String, String)
    /// The text is the declaration as it should be written.
    case valueInParentheses(String)
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
    case missingInitialValue(isBoolean: Bool)
    /// The text is the operator after which the value is missing.
    case missingValue(String)
    case textInsteadOfName(String)
    /// `\( )` in a string literal that cannot contain it. The text says what the literal is: "a program's path".
    case valueInText(String)
    /// A line break in a string literal that cannot contain it. The text says what the literal is.
    case linesInText(String)
    case commentInText

    var message: String {
        switch self {
        case .expected(let what, let found, _): "expected \(what), found \(found)"
        case .missingScenario: "the file must begin with the scenario's name"
        case .secondScenario: "a file can contain only one scenario"
        case .unknownItem(let word, _): "\(quoted(word)) does not begin a declaration"
        case .statementOutside(let word, _):
            "\(quoted(word)) is a statement; statements are allowed only in a thread, a function or 'finally'"
        case .declarationInside(let word): "'\(word)' must be declared outside of threads and functions"
        case .openBrace(let before): "a '}' is missing before \(before)"
        case .looseBrace: "this '}' has no matching '{'"
        case .keywordAsName(let word, _): "'\(word)' is a keyword and cannot be used as a name"
        case .noStatementEnd(let found, _): "expected the end of the statement, found \(found)"
        case .tooDeep: "this is nested more than \(Limits.nesting) levels deep"
        case .tooHigh: "this expression has more than \(Limits.nesting) operators in a row or inside each other"
        case .comparisonChain: "comparisons cannot be chained"
        case .increment(let sign): "there is no '\(sign)'"
        case .noSuchOperator(let sign, _): "there is no '\(sign)'"
        case .assignmentInCondition: "'=' assigns a value, and does not compare"
        case .twoDots: "there is no '..'"
        case .typeBeforeName(let type, _): "no type such as \(quoted(type)) is written before a name"
        case .typeWithoutColon: "a type follows a ':'"
        case .claimWithoutWord: "a claim begins with a word that says when it holds"
        case .notGivable: "'given' has no meaning here"
        case .notInSpecification: "a specification consists of 'shared' variables and functions"
        case .unknownForbidden(let word, _): "\(quoted(word)) is not a word of the language"
        case .noInitialValue(let noun, let name): "\(noun) \(quoted(name)) takes no initial value"
        case .valueInParentheses: "an initial value is not in parentheses"
        case .tooManyErrors: "too many errors; the rest are not shown"
        default: valueMessage
        }
    }

    /// The messages of problems with values, texts and memory models.
    private var valueMessage: String {
        switch self {
        case .integerTooLarge(let digits): "\(quoted(digits)) does not fit into 64 bits"
        case .notANumber(let word): "\(quoted(word)) is not a number"
        case .fraction(let digits): "\(quoted(digits)): a fraction needs a unit of time"
        case .unknownUnit(let unit): "\(quoted(unit)) is not a unit of time"
        case .durationTooLong(let word): "\(quoted(word)) is longer than 292 years"
        case .durationTooFine(let word): "\(quoted(word)) is not a whole number of nanoseconds"
        case .emptyInterpolation: "'\\( )' must contain a value"
        case .textAsValue: "a text is allowed only after 'note', and after the condition of 'assert'"
        case .unknownModel(let word): "\(quoted(word)) is not a memory model"
        case .rangeAsValue: "a range is allowed only in 'for' and after a parameter's 'in'"
        case .missingInitialValue: "an initial value is missing"
        case .missingValue(let sign): "a value is missing after '\(sign)'"
        case .valueInText(let what): "\(what) cannot contain a value"
        case .linesInText(let what): "\(what) is one line"
        case .commentInText: "a comment is not possible inside '\\( )'"
        case .textInsteadOfName(let what): "write the name of \(what) without quotation marks"
        default: ""
        }
    }

    var help: String? {
        switch self {
        case .expected(_, _, let hint): hint
        case .assignmentInCondition(let sign): "write '\(sign)'"
        case .twoDots: "write '...' or, without the last value, '..<'"
        case .typeBeforeName(_, let written), .typeWithoutColon(_, let written): "write '\(written)'"
        case .claimWithoutWord: "write 'always', 'never', 'sometimes', 'possible' or 'eventually' before it"
        case .notGivable(let hint): hint
        case .notInSpecification: "its functions are called one at a time, so it needs nothing else"
        case .unknownForbidden(_, let hint): hint
        case .noInitialValue(_, let name): "write the name \(quoted(name)) alone"
        case .valueInParentheses(let written): "write '\(written.printable)'"
        case .openBrace("'expect'"): "an 'expect' is outside of threads; here, write 'assert'"
        case .openBrace: nil
        case .statementOutside(_, let instead): instead
        case .textAsValue: "to show a text, write 'note \"x is \\(x)\"'"
        case .missingScenario: "write 'scenario \"name\"' here"
        case .unknownItem(_, let instead): instead
        case .declarationInside(Keyword.shared.rawValue): "for a variable of this thread write 'let' or 'var'"
        case .keywordAsName(_, let beginsDeclaration):
            beginsDeclaration ? "begin a new line: it is another declaration" : "choose another name"
        case .noStatementEnd(_, let hint): hint ?? "statements are separated by new lines or ';'"
        case .tooDeep: "move part of it into a function"
        case .tooHigh: "name part of it with 'let'"
        case .comparisonChain: "write 'a < b && b < c'"
        case .increment(let sign): "write '\(sign.prefix(1))= 1'"
        case .noSuchOperator(_, let instead): instead
        case .integerTooLarge: "the largest number is \(Int.max)"
        case .fraction: "for example 1.5s"
        case .unknownUnit: "units are ns, us, ms, s and m"
        case .unknownModel: "memory models are sc, tso and rc11"
        case .valueInText: "to show a backslash, write '\\\\'"
        case .missingInitialValue(let isBoolean): "for example '= \(isBoolean ? "false" : "0")'"
        case .missingValue: "write it on the same line"
        default: nil
        }
    }
}

/// The errors in single characters, words, comments and string literals, with their messages and help.
enum LexicalProblem: Problem {
    case fileTooLarge(bytes: Int)
    case tooManyLines(Int)
    /// A carriage return that is not part of a line ending.
    case carriageReturn
    case notUTF8(byte: UInt8)
    case strangeCharacter(Unicode.Scalar, instead: String?)
    case nameTooLong
    case openText
    case textTooLong
    case textInsideText
    case blockComment
    case openBlockComment
    case unknownEscape(String)

    var message: String {
        switch self {
        case .fileTooLarge(let bytes):
            "the file has \(bytes) bytes; a .lab file has at most \(Limits.fileBytes)"
        case .tooManyLines(let lines): "the file has \(lines) lines; a .lab file has at most \(Limits.lines)"
        case .carriageReturn: "a carriage return alone does not end a line"
        case .notUTF8(let byte): "the byte 0x\(String(byte, radix: 16, uppercase: true)) is not valid UTF-8"
        case .strangeCharacter(let scalar, _):
            "the character \(quoted(String(scalar))) has no meaning here"
        case .nameTooLong: "a name has at most \(Limits.nameBytes) bytes"
        case .openText: "this text is not terminated"
        case .textTooLong: "a text has at most \(Limits.textBytes) bytes"
        case .textInsideText: "'\\(' has no ')' in this text"
        case .blockComment: "comments begin with '//'"
        case .openBlockComment: "this comment is not terminated"
        case .unknownEscape(let escape): "\(quoted(escape)) is not a valid escape in a text"
        }
    }

    var help: String? {
        switch self {
        case .strangeCharacter(_, let instead?): "write \(instead)"
        case .carriageReturn: "end lines with a line feed, or with a carriage return and a line feed"
        case .openText: "end it with '\"' on the same line"
        case .textInsideText: "a text cannot be nested inside '\\( )'"
        case .blockComment: "write '//' before each line"
        case .unknownEscape: "valid escapes are \\n, \\t, \\\", \\\\ and \\( )"
        default: nil
        }
    }
}
