/// The unit of a column of times, which suits the last of them.
enum TimeUnit {
    case microseconds, milliseconds, seconds

    init(latest: UInt64) {
        switch latest {
        case ..<10_000_000: self = .microseconds
        case ..<10_000_000_000: self = .milliseconds
        default: self = .seconds
        }
    }

    func symbol(ascii: Bool) -> String {
        switch self {
        case .microseconds: ascii ? "us" : "µs"
        case .milliseconds: "ms"
        case .seconds: "s"
        }
    }

    /// Always with the same number of decimals, so that the decimal points align.
    func format(_ nanoseconds: UInt64) -> String {
        switch self {
        case .microseconds: Self.decimal(nanoseconds / 100, 10)
        case .milliseconds: Self.decimal(nanoseconds / 1_000, 1_000)
        case .seconds: Self.decimal(nanoseconds / 1_000, 1_000_000)
        }
    }

    private static func decimal(_ number: UInt64, _ one: UInt64) -> String {
        "\(number / one).\(String(number % one + one).dropFirst())"
    }
}
