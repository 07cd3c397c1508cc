/// Which variables the text of a failed assertion names: `end.count == 2` names `end.count`.
struct AssertedValues {
    /// The assertion's text, without what is between brackets.
    private let text: [Character]

    init(_ text: String) { self.text = Array(Self.withoutIndices(text)) }

    /// The name as a text has it, in which the index of an element may be an expression: `slots[]` for `slots[3]`.
    static func key(_ name: String) -> String {
        // What follows distinguishes variables of one name: `i of reader`.
        withoutIndices(String(name.prefix(upTo: name.ranges(of: " of ").first?.lowerBound ?? name.endIndex)))
    }

    /// Where the text names the variable with this key, from 0 on. Nil: it does not.
    func place(of key: String) -> Int? {
        let key = Array(key)
        guard !key.isEmpty, key.count <= text.count else { return nil }
        return (0...text.count - key.count).first { start in
            let end = start + key.count
            guard text[start..<end].elementsEqual(key) else { return false }
            return !isPartOfName(before: start) && !isPartOfName(at: end)
        }
    }

    /// Whether what precedes belongs to the name: `b` in `a->b`, but not in `a > b`.
    private func isPartOfName(before place: Int) -> Bool {
        guard place > 0 else { return false }
        let last = text[place - 1]
        return Self.isOfWord(last) || last == "." || place > 1 && last == ">" && text[place - 2] == "-"
    }

    /// Whether what follows belongs to the name: `a` in `a->b`, `a.b`, `a[1]` or `a(b)`.
    private func isPartOfName(at place: Int) -> Bool {
        guard place < text.count else { return false }
        let next = text[place]
        let isArrow = next == "-" && place + 1 < text.count && text[place + 1] == ">"
        // `load` is a call of an atomic, which says no more than its name.
        if text[place...].starts(with: ".load(") { return false }
        return Self.isOfWord(next) || next == "." || next == "[" || next == "(" || isArrow
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static func withoutIndices(_ text: String) -> String {
        var depth = 0
        return text.filter { character in
            if character == "]" { depth -= 1 }
            defer { if character == "[" { depth += 1 } }
            return depth <= 0
        }
    }
}
