/// A parsed JSON value. Objects keep the order of their members.
package enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent whose magnitude fits in 64 bits.
    case integer(Int128)
    /// Any other number.
    case fraction(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Equatable, Sendable {
        package var key: String
        package var value: JSON

        package init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }
}

/// An error in JSON: its position, and what was expected there.
package struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The index of the byte.
    package var offset: Int
    package var expected: String
    /// Whether the input ends here, so that more bytes could have made it valid.
    package var isAtEnd: Bool

    package var description: String { "expected \(expected) at byte \(offset)" }
}

/// The members of a JSON object, accessed by name and type. Errors name the member that is missing or wrong.
struct JSONFields {
    let members: [JSON.Member]

    /// A member that does not follow the format.
    struct Problem: Error, CustomStringConvertible {
        var message: String

        var description: String { message }
    }

    init(_ json: JSON) throws(Problem) {
        guard case .object(let members) = json else { throw Problem(message: "expected a JSON object") }
        self.members = members
    }

    subscript(_ key: String) -> JSON? { members.first { $0.key == key }?.value }

    func string(_ key: String) throws(Problem) -> String {
        guard let text = try optionalString(key) else { throw Self.missing(key, "a string") }
        return text
    }

    func optionalString(_ key: String) throws(Problem) -> String? {
        switch self[key] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw Self.missing(key, "a string")
        }
    }

    func integer<Number: FixedWidthInteger>(_ key: String, as _: Number.Type = Number.self) throws(Problem) -> Number {
        try integer(key, in: Number.min...Number.max)
    }

    func integer<Number: FixedWidthInteger>(
        _ key: String, in range: ClosedRange<Number>
    ) throws(Problem) -> Number {
        guard let value = self[key] else { throw Self.missing(key, "a whole number") }
        return try Self.integer(value, key, in: range)
    }

    func optionalInteger<Number: FixedWidthInteger>(_ key: String) throws(Problem) -> Number? {
        guard let value = self[key] else { return nil }
        return try Self.integer(value, key)
    }

    static func integer<Number: FixedWidthInteger>(_ value: JSON, _ key: String) throws(Problem) -> Number {
        try integer(value, key, in: Number.min...Number.max)
    }

    static func integer<Number: FixedWidthInteger>(
        _ value: JSON, _ key: String, in range: ClosedRange<Number>
    ) throws(Problem) -> Number {
        guard case .integer(let wide) = value, let number = Number(exactly: wide), range.contains(number) else {
            throw missing(key, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A string that is the raw value of one of the type's cases.
    func choice<Choice: RawRepresentable<String>>(_ key: String, _: Choice.Type = Choice.self) throws(Problem) -> Choice
    {
        let word = try string(key)
        guard let choice = Choice(rawValue: word) else {
            throw Problem(message: "this version does not support the \(key) “\(word)”")
        }
        return choice
    }

    func optionalChoice<Choice: RawRepresentable<String>>(
        _ key: String, _: Choice.Type = Choice.self
    ) throws(Problem) -> Choice? {
        try optionalString(key) == nil ? nil : try choice(key)
    }

    static func missing(_ key: String, _ what: String) -> Problem { Problem(message: "expected \"\(key)\": \(what)") }
}
