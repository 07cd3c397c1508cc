import Console
import Text

/// A value in a configuration file, with its place.
struct TOMLValue {
    indirect enum Content {
        case string(String)
        case integer(Int)
        case boolean(Bool)
        case array([TOMLValue])
    }

    let content: Content
    let place: TOMLPlace
}

/// A line and a column of a file, from 1.
struct TOMLPlace: Equatable {
    var line = 1
    var column = 1
}

/// A table of a configuration file: its keys in their order.
struct TOMLTable {
    /// The parts of the table's name. Empty: the table consists of what precedes the first heading.
    let name: [String]
    let place: TOMLPlace
    var entries: [(key: String, place: TOMLPlace, value: TOMLValue)] = []
}

/// What is wrong in a configuration file, and where.
struct TOMLProblem: Error, Equatable, CustomStringConvertible {
    let message: String
    let place: TOMLPlace

    var description: String { message }
}

/// Reads a part of TOML 1.0: tables, single-line strings, integers, booleans and arrays. Anything else is an error. A
/// file that is accepted means the same to every reader of TOML.
struct TOMLReader {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var place = TOMLPlace()
    /// The maximum depth of nested arrays.
    private static let greatestDepth = 8
    /// A configuration with more tables, entries of a table, or elements of all arrays was not written by a person.
    private static let mostTables = 1000
    private static let mostEntries = 1000
    private static let mostElements = 10_000
    private var elementCount = 0

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The tables of a file, in their order.
    static func read(_ text: String) throws(TOMLProblem) -> [TOMLTable] {
        var reader = TOMLReader(text)
        return try reader.file()
    }

    // MARK: - Characters

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func advance() {
        if next == "\n" { place = TOMLPlace(line: place.line + 1) } else { place.column += 1 }
        position += 1
    }

    private func problem(_ message: String) -> TOMLProblem { TOMLProblem(message: message, place: place) }

    private mutating func take(_ scalar: Unicode.Scalar) throws(TOMLProblem) {
        guard next == scalar else { throw problem("expected '\(scalar)'") }
        advance()
    }

    private mutating func skipBlanks() { while next == " " || next == "\t" { advance() } }

    /// Skips blanks, line ends and comments, as between the elements of an array.
    private mutating func skipSpace() throws(TOMLProblem) {
        while true {
            skipBlanks()
            if next == "#" { try skipComment() }
            guard next == "\n" || next == "\r" else { return }
            try takeLineEnd()
        }
    }

    private mutating func skipComment() throws(TOMLProblem) {
        while let scalar = next, scalar != "\n", scalar != "\r" {
            guard scalar == "\t" || !scalar.isControl else { throw problem("a control character in a comment") }
            advance()
        }
    }

    private mutating func takeLineEnd() throws(TOMLProblem) {
        if next == "\r" { advance() }
        guard next == "\n" else { throw problem("expected the end of the line") }
        advance()
    }

    /// Skips blanks and a comment, and the end of the line, which must follow.
    private mutating func endLine() throws(TOMLProblem) {
        skipBlanks()
        if next == "#" { try skipComment() }
        if next != nil { try takeLineEnd() }
    }

    // MARK: - Tables

    private mutating func file() throws(TOMLProblem) -> [TOMLTable] {
        var tables = [TOMLTable(name: [], place: place)]
        var names: Set<[String]> = []
        var keys: Set<String> = []
        while true {
            try skipSpace()
            guard let scalar = next else { return tables }
            if scalar == "[" {
                let table = try heading()
                guard names.insert(table.name).inserted else {
                    throw TOMLProblem(
                        message: "there are two tables [\(table.name.joined(separator: "."))]", place: table.place)
                }
                guard names.count <= Self.mostTables else {
                    throw TOMLProblem(message: "there are more than \(Self.mostTables) tables", place: table.place)
                }
                tables.append(table)
                keys = []
                continue
            }
            let start = place
            let key = try key()
            skipBlanks()
            if next == "." { throw problem("dotted keys are not supported: write a table") }
            try take("=")
            skipBlanks()
            let value = try value(depth: 0)
            let last = tables.count - 1
            guard keys.insert(key).inserted else {
                throw TOMLProblem(message: "'\(key)' has a value already", place: start)
            }
            guard keys.count <= Self.mostEntries else {
                throw TOMLProblem(message: "the table has more than \(Self.mostEntries) keys", place: start)
            }
            tables[last].entries.append((key, start, value))
            try endLine()
        }
    }

    private mutating func heading() throws(TOMLProblem) -> TOMLTable {
        let start = place
        advance()
        if next == "[" { throw problem("arrays of tables are not supported") }
        var name: [String] = []
        repeat {
            if !name.isEmpty { advance() }
            skipBlanks()
            name.append(try key())
            skipBlanks()
        } while next == "."
        try take("]")
        try endLine()
        return TOMLTable(name: name, place: start)
    }

    private mutating func key() throws(TOMLProblem) -> String {
        if next == "\"" || next == "'" { return try string() }
        var key = ""
        while let scalar = next, scalar.isOfBareKey {
            key.unicodeScalars.append(scalar)
            advance()
        }
        if key.isEmpty { throw problem("expected a key") }
        return key
    }

    // MARK: - Values

    private mutating func value(depth: Int) throws(TOMLProblem) -> TOMLValue {
        let start = place
        switch next {
        case "\"", "'": return TOMLValue(content: .string(try string()), place: start)
        case "[": return TOMLValue(content: .array(try array(depth)), place: start)
        case "{": throw problem("inline tables are not supported: write a table")
        default: break
        }
        var word = ""
        while let scalar = next, scalar.isOfBareKey || "+.:".unicodeScalars.contains(scalar) {
            word.unicodeScalars.append(scalar)
            advance()
        }
        switch word {
        case "true": return TOMLValue(content: .boolean(true), place: start)
        case "false": return TOMLValue(content: .boolean(false), place: start)
        case "": throw problem("expected a value")
        default: break
        }
        guard let number = Self.integer(word) else {
            throw TOMLProblem(
                message: "'\(word)' is not supported: write a string in quotation marks, a whole number, true or false",
                place: start)
        }
        return TOMLValue(content: .integer(number), place: start)
    }

    /// The value of an integer in decimal digits, without leading zeros.
    private static func integer(_ word: String) -> Int? {
        let digits = word.hasPrefix("-") || word.hasPrefix("+") ? word.dropFirst() : word[...]
        guard digits.first.map({ $0 != "0" || digits.count == 1 }) ?? false, digits.allSatisfy({ "0"..."9" ~= $0 })
        else {
            return nil
        }
        return Int(word)
    }

    private mutating func array(_ depth: Int) throws(TOMLProblem) -> [TOMLValue] {
        guard depth < Self.greatestDepth else { throw problem("arrays are nested too deeply") }
        advance()
        var elements: [TOMLValue] = []
        while true {
            try skipSpace()
            if next == "]" { break }
            elementCount += 1
            guard elementCount <= Self.mostElements else {
                throw problem("there are more than \(Self.mostElements) elements of arrays")
            }
            elements.append(try value(depth: depth + 1))
            try skipSpace()
            if next == "]" { break }
            guard next == "," else { throw problem("expected ',' or ']'") }
            advance()
        }
        advance()
        return elements
    }

    private mutating func string() throws(TOMLProblem) -> String {
        guard let quote = next else { throw problem("expected a string") }
        advance()
        var text = ""
        while let scalar = next, scalar != quote {
            guard scalar == "\t" || !scalar.isControl else { throw problem("a string ends in its line") }
            advance()
            if scalar == "\\" && quote == "\"" {
                text.unicodeScalars.append(try escape())
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        try take(quote)
        if text.isEmpty, next == quote { throw problem("strings of several lines are not supported") }
        return text
    }

    private mutating func escape() throws(TOMLProblem) -> Unicode.Scalar {
        let simple: [Unicode.Scalar: Unicode.Scalar] = [
            "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{C}", "r": "\r", "\"": "\"", "\\": "\\",
        ]
        guard let scalar = next else { throw problem("expected an escape") }
        if let meant = simple[scalar] {
            advance()
            return meant
        }
        guard scalar == "u" || scalar == "U" else { throw problem("'\\\(scalar)' is not an escape") }
        let start = place
        advance()
        var value: UInt32 = 0
        for _ in 0..<(scalar == "u" ? 4 : 8) {
            guard let digit = next.flatMap({ $0.isASCII ? Character($0).hexDigitValue : nil }) else {
                throw problem("expected a hexadecimal digit")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        guard let meant = Unicode.Scalar(value) else {
            throw TOMLProblem(message: "not the number of a character", place: start)
        }
        return meant
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || value == 0x7F }

    fileprivate var isOfBareKey: Bool {
        switch self {
        case "A"..."Z", "a"..."z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
