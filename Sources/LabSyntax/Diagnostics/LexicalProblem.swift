/// What is wrong with single characters, words and texts.
enum LexicalProblem: Problem {
    case fileTooLarge(bytes: Int)
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
        case .notUTF8(let byte): "the byte 0x\(String(byte, radix: 16, uppercase: true)) is no UTF-8 text"
        case .strangeCharacter(let scalar, _):
            "the character \(quoted(String(scalar))) has no meaning here"
        case .nameTooLong: "a name has at most \(Limits.nameBytes) bytes"
        case .openText: "this text has no end"
        case .textTooLong: "a text has at most \(Limits.textBytes) bytes"
        case .textInsideText: "'\\(' has no ')' in this text"
        case .blockComment: "comments begin with '//'"
        case .openBlockComment: "this comment has no end"
        case .unknownEscape(let escape): "\(quoted(escape)) has no meaning in a text"
        }
    }

    var help: String? {
        switch self {
        case .strangeCharacter(_, let instead?): "write \(instead)"
        case .openText: "a '\"' must end it on the same line"
        case .textInsideText: "a text cannot stand inside '\\( )'"
        case .blockComment: "write '//' before each line"
        case .unknownEscape: "known are \\n, \\t, \\\", \\\\ and \\( )"
        default: nil
        }
    }
}
