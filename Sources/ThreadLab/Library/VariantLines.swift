/// The lines of a scenario's Swift file that name one of its variants: where it is declared and described, and where the code
/// asks for it. They are found by the name alone, however the file is written.
enum VariantLines {
    /// The text with line numbers, and `>` before the lines that name the variant.
    ///
    /// - Parameter variant: as on the command line.
    static func marked(_ variant: String, in text: String) -> String {
        let name = caseName(of: variant)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        let width = String(lines.count).count
        return lines.enumerated().map { index, line in
            let number = String(index + 1)
            let margin =
                (names(line, name) ? "> " : "  ") + String(repeating: " ", count: width - number.count) + number
            return line.isEmpty ? margin + "\n" : "\(margin)  \(line)\n"
        }.joined()
    }

    /// `oppositeOrders` of `opposite-orders`.
    private static func caseName(of variant: String) -> String {
        let words = variant.split(separator: "-")
        return words.dropFirst().reduce(words.first.map { String($0) } ?? "") {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }

    /// Whether the line has `.name`, not as a member of something, or declares the case.
    private static func names(_ line: Substring, _ name: String) -> Bool {
        let declares = line.drop { $0 == " " }.hasPrefix("case ")
        var rest = line
        while let range = rest.firstRange(of: name) {
            let before = line[..<range.lowerBound]
            rest = line[range.upperBound...]
            if rest.first.map(isPartOfName) == true { continue }
            switch before.last {
            case ".": if before.dropLast().last.map({ isPartOfName($0) || ")]?!".contains($0) }) != true { return true }
            case " ", "`": if declares && !before.contains(where: { ":=".contains($0) }) { return true }
            default: break
            }
        }
        return false
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
