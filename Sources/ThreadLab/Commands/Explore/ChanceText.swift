/// A small probability in words.
enum ChanceText {
    /// The smallest power of ten that is not smaller: "1 in 10^6".
    static func text(_ chance: Double) -> String {
        var exponent = 0
        var bound = 1.0
        while chance * bound * 10 <= 1 && exponent < most { (bound, exponent) = (bound * 10, exponent + 1) }
        return "1 in 10^\(exponent)"
    }

    private static let most = 18
}
