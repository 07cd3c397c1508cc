/// Problems with single characters, words and texts.
enum LexicalProblem: Problem {
    case fileTooLarge(bytes: Int)
    case tooManyLines(Int)
    /// A carriage return that is not part of a line's end.
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
