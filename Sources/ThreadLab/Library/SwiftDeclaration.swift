/// A declaration in a formatted Swift file: one of the file, or a member of its first type.
struct SwiftDeclaration {
    /// Empty if it has none, as an initializer.
    let name: String
    /// The line where it begins, from 1, with its comment.
    let line: Int
    var lines: [Substring]

    /// All words in its code that can name a declaration.
    var words: Set<String> {
        let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.flatMap(Self.withoutPlainStrings)
        return Set(code.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init) })
    }

    /// The parts of the line outside strings, and strings with code in them.
    private static func withoutPlainStrings(_ line: Substring) -> [Substring] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 || $0.element.contains("\\(") }.map(\.element)
    }

    /// In the order of the file. The first type itself is not one of them; its members are.
    static func all(in text: String) -> [SwiftDeclaration] {
        var declarations: [SwiftDeclaration] = []
        var pending: [Substring] = []
        var isInFirstType = false
        var hasSeenType = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let indent = line.prefix { $0 == " " }.count
            if indent == 0, line == "}", isInFirstType {
                isInFirstType = false
                pending = []
                continue
            }
            if pending.isEmpty, line.isEmpty || line.hasPrefix("import ") { continue }
            if indent == 0, !hasSeenType, isType(line) {
                (hasSeenType, isInFirstType, pending) = (true, true, [])
                continue
            }
            pending.append(line)
            guard ends(line, at: isInFirstType ? 4 : 0) else { continue }
            declarations.append(
                SwiftDeclaration(name: name(of: pending), line: index + 2 - pending.count, lines: pending))
            pending = []
        }
        return declarations
    }

    private static let keywords: Set<Substring> = [
        "func", "var", "let", "struct", "class", "enum", "protocol", "extension", "typealias", "actor",
    ]

    private static func isType(_ line: Substring) -> Bool {
        line.hasSuffix("{") && !keywords.isDisjoint(with: line.split(separator: " ").prefix(3))
    }

    /// Whether a declaration at this indentation ends with the line.
    private static func ends(_ line: Substring, at indent: Int) -> Bool {
        guard line.prefix(while: { $0 == " " }).count == indent else { return false }
        let code = line.dropFirst(indent)
        if code.isEmpty || code.hasPrefix("//") { return false }
        if code.hasPrefix("@"), code.hasSuffix(")") { return false }
        return !["{", "(", "[", ",", "=", "\"\"\""].contains { code.hasSuffix($0) }
    }

    private static func name(of lines: [Substring]) -> String {
        for line in lines {
            let parts = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            let isComment = line.drop { $0 == " " }.hasPrefix("//")
            if !isComment, let keyword = parts.firstIndex(where: keywords.contains), keyword + 1 < parts.count {
                return String(parts[keyword + 1])
            }
        }
        return ""
    }
}
