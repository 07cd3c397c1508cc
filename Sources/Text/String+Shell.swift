extension String {
    /// Quoted so that a shell reads it as one word: between quotation marks if it holds anything but letters, digits
    /// and `-_./+,:@`.
    package var quotedForShell: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-_./+,:@".utf8.contains(byte)
                }
            }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}

extension String {
    /// The parts of a command between which a shell sees blanks, with their quotation marks.
    package var shellWords: [String] {
        var words = [""]
        var isQuoted = false
        var isEscaped = false
        for character in self {
            if character == " " && !isQuoted && !isEscaped {
                words.append("")
                continue
            }
            if character == "'" && !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isQuoted && !isEscaped
            words[words.count - 1].append(character)
        }
        return words.filter { !$0.isEmpty }
    }
}
