/// A parsed JSON value. Objects keep the order of their members.
package enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    /// Every number without fraction or exponent that 64 bits can hold, signed or not.
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
