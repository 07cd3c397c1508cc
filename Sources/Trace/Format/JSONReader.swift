/// Reads one JSON value, strictly as in RFC 8259. Safe for any input: the depth is bounded, and nothing is assumed
/// about the bytes.
package struct JSONReader {
    package static let greatestDepth = 16
    /// The maximum number of values. It limits memory: a value of two bytes in the input, such as `1,`, takes 32 bytes
    /// as a `JSON`.
    package static let mostValues = 1 << 20

    private let bytes: [UInt8]
    private let end: Int
    private var position: Int
    /// The number of values so far.
    private var count = 0

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// The value in a range of bytes, which may contain white space around it and nothing else.
    package static func read(_ bytes: [UInt8], _ range: Range<Int>) throws(JSONError) -> JSON {
        var reader = JSONReader(bytes, range)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == reader.end else { throw reader.error("the end of the line") }
        return value
    }

    private func error(_ expected: String) -> JSONError {
        JSONError(offset: position, expected: expected, isAtEnd: position >= end)
    }

    /// The next byte. At the end: 0, which valid JSON never contains.
    private var next: UInt8 { position < end ? bytes[position] : 0 }

    private mutating func skipSpace() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8, _ name: String) throws(JSONError) {
        guard next == byte else { throw error(name) }
        position += 1
    }

    private mutating func takeIfNext(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard depth < Self.greatestDepth else { throw error("at most \(Self.greatestDepth) levels of nesting") }
        count += 1
        guard count <= Self.mostValues else { throw error("at most \(Self.mostValues) values") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw error("a value")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for offset in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[offset], "“\(word)”") }
        return value
    }

    private mutating func object(_ depth: Int) throws(JSONError) -> JSON {
        position += 1
        skipSpace()
        if takeIfNext(UInt8(ascii: "}")) { return .object([]) }
        var members: [JSON.Member] = []
        members.reserveCapacity(8)
        while true {
            skipSpace()
            let key = try string()
            skipSpace()
            try take(UInt8(ascii: ":"), "“:”")
            members.append(JSON.Member(key: key, value: try value(depth: depth + 1)))
            skipSpace()
            if takeIfNext(UInt8(ascii: "}")) { return .object(members) }
            try take(UInt8(ascii: ","), "“,” or “}”")
        }
    }

    private mutating func array(_ depth: Int) throws(JSONError) -> JSON {
        position += 1
        skipSpace()
        if takeIfNext(UInt8(ascii: "]")) { return .array([]) }
        var elements: [JSON] = []
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if takeIfNext(UInt8(ascii: "]")) { return .array(elements) }
            try take(UInt8(ascii: ","), "“,” or “]”")
        }
    }
}

// MARK: - Numbers

extension JSONReader {
    private mutating func number() throws(JSONError) -> JSON {
        let start = position
        let isNegative = takeIfNext(UInt8(ascii: "-"))
        let magnitude = try wholeNumber()
        var isWhole = magnitude != nil
        if takeIfNext(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if next | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        if isWhole, let magnitude {
            return .integer(isNegative ? -Int128(magnitude) : Int128(magnitude))
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return .fraction(Double(text) ?? .infinity)
    }

    /// Reads the digits before a fraction or an exponent. Nil: their number does not fit in 64 bits.
    private mutating func wholeNumber() throws(JSONError) -> UInt64? {
        if takeIfNext(UInt8(ascii: "0")) { return 0 }
        let start = position
        try digits()
        var result: UInt64 = 0
        for index in start..<position {
            let (product, tooBig) = result.multipliedReportingOverflow(by: 10)
            let (sum, tooBigNow) = product.addingReportingOverflow(UInt64(bytes[index] - UInt8(ascii: "0")))
            if tooBig || tooBigNow { return nil }
            result = sum
        }
        return result
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while next >= UInt8(ascii: "0") && next <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw error("a digit") }
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func string() throws(JSONError) -> String {
        try take(UInt8(ascii: "\""), "a string")
        let start = position
        while next != UInt8(ascii: "\"") {
            if next == UInt8(ascii: "\\") { return try stringWithEscapes(from: start) }
            guard next >= 0x20 else { throw error("the string's end") }
            position += 1
        }
        position += 1
        return try text(bytes[start..<position - 1], from: start)
    }

    private mutating func stringWithEscapes(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<position])
        while next != UInt8(ascii: "\"") {
            guard next >= 0x20 else { throw error("the string's end") }
            let byte = next
            position += 1
            if byte == UInt8(ascii: "\\") {
                unescaped.append(contentsOf: String(try escape()).utf8)
            } else {
                unescaped.append(byte)
            }
        }
        position += 1
        return try text(unescaped[...], from: start)
    }

    private func text(_ utf8: ArraySlice<UInt8>, from start: Int) throws(JSONError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw JSONError(offset: start, expected: "a string in UTF-8", isAtEnd: false)
        }
        return text
    }

    /// Reads the rest of an escape, after the backslash.
    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let byte = next
        guard position < end else { throw error("an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default:
            position -= 1
            throw error("an escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        try take(UInt8(ascii: "\\"), "the second half of a surrogate pair")
        try take(UInt8(ascii: "u"), "the second half of a surrogate pair")
        let second = try hexadecimal()
        guard first < 0xDC00, (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error("a surrogate pair") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var result: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else { throw error("a hexadecimal digit") }
            result = result << 4 | UInt32(digit)
            position += 1
        }
        return result
    }
}
