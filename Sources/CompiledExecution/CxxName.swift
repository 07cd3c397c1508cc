import CCompiled
import Glibc

/// A linker's name of C++ as a person reads it: `std::vector<int>::push_back` for `_ZNSt6vectorIiSaIiEE9push_backEOi`.
///
/// Parameters, results and what is the same in every program are left out.
struct CxxName {
    let text: String

    /// Nil: it is not a name of C++.
    init?(_ symbol: String) {
        guard symbol.hasPrefix("_Z"), let whole = Self.demangled(symbol) else { return nil }
        var text = Self.withoutParameters(whole)
        text = Self.withoutResult(text)
        for (long, short) in Self.shortForms { text = text.replacing(long, with: short) }
        text = Self.withoutAllocators(text)
        self.text = text.count > Self.longest ? text.prefix(Self.longest - 1) + "…" : text
    }

    /// In characters.
    private static let longest = 120

    private static let shortForms = [
        (" >", ">"), ("std::__cxx11::", "std::"), ("[abi:cxx11]", ""),
        ("std::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string"),
    ]

    private static func demangled(_ symbol: String) -> String? {
        var status: Int32 = 0
        guard let made = __cxa_demangle(symbol, nil, nil, &status) else { return nil }
        defer { free(made) }
        return String(cString: made)
    }

    /// A parenthesis after a name begins its parameters; one after `::` does not, as in `(anonymous namespace)`.
    private static func withoutParameters(_ text: String) -> String {
        var result = ""
        var depth = 0
        for character in text {
            if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                continue
            }
            let follows = result.last.map { $0.isLetter || $0.isNumber || "_>$])}".contains($0) } ?? false
            let isName = follows && !result.hasSuffix("operator") || isOperator(result)
            if character == "(" && isName { depth = 1 } else { result.append(character) }
        }
        for suffix in [" const", " volatile", " &", " &&"] where result.hasSuffix(suffix) {
            result.removeLast(suffix.count)
        }
        return result
    }

    /// Whether the text ends with `operator<` or the like, but not with `operator(`.
    private static func isOperator(_ text: String) -> Bool {
        let signs = text.reversed().prefix { "<>=!+-*/%&|^,~".contains($0) }
        return !signs.isEmpty && text.dropLast(signs.count).hasSuffix("operator")
    }

    /// The allocator that every container has, unless its program gives it another.
    private static func withoutAllocators(_ text: String) -> String {
        var rest = text[...]
        var result = ""
        while let found = rest.firstRange(of: ", std::allocator<") {
            result += rest[..<found.lowerBound]
            rest = rest[found.upperBound...]
            var depth = 1
            while depth > 0, let next = rest.popFirst() { depth += next == "<" ? 1 : next == ">" ? -1 : 0 }
        }
        return result + rest
    }

    /// `f<int>` of `void f<int>`. What stands for no function, such as `guard variable for x`, is left as it is.
    private static func withoutResult(_ text: String) -> String {
        guard !text.contains(" for "), !text.contains("operator") else { return text }
        var depth = 0
        var start = text.startIndex
        for index in text.indices {
            switch text[index] {
            case "<", "(", "{": depth += 1
            case ">", ")", "}": depth -= 1
            case " " where depth == 0: start = text.index(after: index)
            default: break
            }
        }
        return String(text[start...])
    }
}
