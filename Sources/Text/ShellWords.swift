/// The words of a command line as a shell passes them to the command, without their quotation marks: the inverse of
/// `quotedForShell`. Double quotation marks are understood too, and a backslash, between them or outside quotation
/// marks, takes the next character literally. Variables and other expansions are not understood.
package struct ShellWords {
    package private(set) var words: [String] = []

    /// The kind of quotation marks around the current text; `escaped` is `$'…'`.
    private enum Quote { case single, double, escaped }

    /// Returns nil if a quotation mark is not closed, if the text ends with a lone backslash, or if a backslash between
    /// `$'` and `'` is not followed by three octal digits: `quotedForShell` writes no other escapes.
    package init?(_ text: String) {
        var word: [UInt8]?
        var quote: Quote?
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch (byte, quote) {
            case (UInt8(ascii: "'"), .single?), (UInt8(ascii: "'"), .escaped?), (UInt8(ascii: "\""), .double?):
                quote = nil
            case (UInt8(ascii: "\\"), .escaped?):
                guard let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) else { return nil }
                rest = rest.dropFirst(3)
                word?.append(value)
            case (UInt8(ascii: "\\"), nil), (UInt8(ascii: "\\"), .double?):
                guard let next = rest.popFirst() else { return nil }
                word = (word ?? []) + [next]
            case (UInt8(ascii: "$"), nil) where rest.first == UInt8(ascii: "'"):
                rest = rest.dropFirst()
                (quote, word) = (.escaped, word ?? [])
            case (UInt8(ascii: "'"), nil): (quote, word) = (.single, word ?? [])
            case (UInt8(ascii: "\""), nil): (quote, word) = (.double, word ?? [])
            case (UInt8(ascii: " "), nil), (UInt8(ascii: "\t"), nil), (UInt8(ascii: "\n"), nil),
                (UInt8(ascii: "\r"), nil):
                if let complete = word { words.append(String(decoding: complete, as: UTF8.self)) }
                word = nil
            default: word = (word ?? []) + [byte]
            }
        }
        guard quote == nil else { return nil }
        if let word { words.append(String(decoding: word, as: UTF8.self)) }
    }
}
