import Recipes

/// A word, number, text or sign of the source.
struct Token {
    enum Kind: Equatable {
        case name
        case keyword(Keyword)
        /// The word of an object that is built by a recipe.
        case recipe(Recipe)
        /// Digits and the letters directly after them: an integer, or a duration with its unit.
        case number
        /// Including its quotation marks.
        case text
        case symbol(Symbol)
        case end
    }

    /// The kinds of the words that cannot be names.
    static let reserved: [String: Kind] = {
        var kinds: [String: Kind] = [:]
        for keyword in Keyword.allCases where keyword.isReserved { kinds[keyword.rawValue] = .keyword(keyword) }
        for recipe in Recipe.all { kinds[recipe.word] = .recipe(recipe) }
        return kinds
    }()

    /// The length of the longest of them.
    static let longestReserved = reserved.keys.map(\.utf8.count).max() ?? 0

    var kind: Kind
    var span: Span
    /// Whether it is the first of its line. That can end a statement.
    var startsLine: Bool
}
