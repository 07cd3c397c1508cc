import CCompiled
import Glibc

/// A mangled C++ name in readable form: `std::vector<int>::push_back` for `_ZNSt6vectorIiSaIiEE9push_backEOi`.
///
/// Parameters, result types and the usual default arguments of templates are left out.
struct CxxName {
    let text: String

    /// Nil: the symbol is not a mangled C++ name.
    init?(_ symbol: String) {
        guard symbol.hasPrefix("_Z"), let whole = Self.demangled(symbol) else { return nil }
        text = Self.short(Self.withoutResult(Self.withoutParameters(whole)))
    }

    /// What a `std::thread` calls.
    struct Called: Equatable {
        let text: String
        /// Whether it is a pointer to a function. Then `text` is only the pointer's type, and the function's name must
        /// be found by the pointer's value.
        let isPointer: Bool
    }

    /// What a `std::thread` calls, from the mangled name of the virtual table (vtable) of the object that holds the
    /// call.
    static func called(byThread table: String) -> Called? {
        guard table.hasPrefix("_ZTVNSt6thread11_State_impl"), let whole = demangled(table),
            let tuple = whole.ranges(of: "std::tuple<").last
        else { return nil }
        var depth = 0
        let first = whole[tuple.upperBound...].prefix { character in
            if depth == 0 && (character == "," || character == ">") { return false }
            depth += "<({".contains(character) ? 1 : ">)}".contains(character) ? -1 : 0
            return true
        }
        let isPointer = first.contains("(*") || first.contains("::*)")
        return Called(text: isPointer ? String(first) : short(withoutParameters(String(first))), isPointer: isPointer)
    }

    /// Shortens a demangled name to what a report can show.
    private static func short(_ name: String) -> String {
        var text = name
        for (long, short) in shortForms { text = text.replacing(long, with: short) }
        text = withoutLambdas(withoutDefaults(text))
        for depth in [3, 2, 1] where text.count > mostWithArguments { text = withoutArguments(text, below: depth) }
        return text.count > longest ? text.prefix(longest - 1) + "…" : text
    }

    /// The maximum length of a name, in characters.
    private static let longest = 120
    /// The maximum length of a name that still shows all its template arguments, in characters.
    private static let mostWithArguments = 80

    /// `lambda in main` for `main::{lambda#1}::operator()`, which clang calls `main::$_0::operator()`.
    private static func withoutLambdas(_ text: String) -> String {
        // Most names contain no lambda, and the regular expressions below are slow.
        guard text.contains("{lambda#") || text.contains("$_") else { return text }
        let text = text.replacing("operator() const::", with: "operator()::")
        // The name is that of a library function which has the lambda as a template argument, and into which the lambda
        // may be inlined.
        if text.hasPrefix("std::"), let match = text.firstMatch(of: /([\w:~]+)::(?:\{lambda#\d+\}|\$_\d+)/) {
            return "lambda in \(match.output.1)"
        }
        guard let match = text.firstMatch(of: /^(.+?)(?:::(?:\{lambda#\d+\}|\$_\d+)(?:::operator\(\))?)+$/) else {
            return text
        }
        return "lambda in \(match.output.1)"
    }

    /// Replaces the template arguments at this depth and deeper: with depth 1, `Map<Key, Value>` becomes `Map<…>`.
    private static func withoutArguments(_ text: String, below limit: Int) -> String {
        var result = ""
        var depth = 0
        for character in text {
            let isOpening = character == "<" && !result.hasSuffix("operator")
            if character == ">" && depth > 0 {
                if depth == limit { result += "…" }
                depth -= 1
            }
            if depth < limit { result.append(character) }
            if isOpening { depth += 1 }
        }
        return result
    }

    /// Texts in demangled names, and what replaces them, in this order.
    private static let shortForms = [
        (" >", ">"), ("std::__cxx11::", "std::"), ("[abi:cxx11]", ""),
        ("std::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string"),
    ]

    /// The name of a type, by its mangled name without the prefix of symbols: `std::runtime_error` for
    /// `St13runtime_error`.
    static func ofType(_ name: String) -> String { demangled(name).map(short) ?? name }

    private static func demangled(_ symbol: String) -> String? {
        var status: Int32 = 0
        guard let made = __cxa_demangle(symbol, nil, nil, &status) else { return nil }
        defer { free(made) }
        return String(cString: made)
    }

    /// Leaves out parameters, and a qualifier after them. A parenthesis after a name begins parameters; one after
    /// `::` does not, as in `(anonymous namespace)`.
    private static func withoutParameters(_ text: String) -> String {
        var result = ""
        var depth = 0
        for character in text {
            if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                continue
            }
            let endsName = result.last.map { $0.isLetter || $0.isNumber || "_>$])}".contains($0) } ?? false
            let isAfterName = endsName && !result.hasSuffix("operator") || isOperator(result)
            if character == "(" && isAfterName { depth = 1 } else { result.append(character) }
        }
        // In the order in which a name that has several ends with them: "bar() const volatile &".
        for suffix in [" &&", " &", " volatile", " const"] where result.hasSuffix(suffix) {
            result.removeLast(suffix.count)
        }
        return result
    }

    /// Whether the text ends with `operator<` or the like, but not with `operator(`.
    private static func isOperator(_ text: String) -> Bool {
        let signs = text.reversed().prefix { "<>=!+-*/%&|^,~".contains($0) }
        return !signs.isEmpty && text.dropLast(signs.count).hasSuffix("operator")
    }

    /// Leaves out the template arguments that containers have by default, such as allocators.
    private static func withoutDefaults(_ text: String) -> String {
        ["allocator", "less", "hash", "equal_to", "default_delete", "char_traits"].reduce(text) {
            without(", std::\($1)<", $0)
        }
    }

    /// Leaves out every template argument that begins with this text and ends with the matching `>`.
    private static func without(_ argument: String, _ text: String) -> String {
        var rest = text[...]
        var result = ""
        while let found = rest.firstRange(of: argument) {
            result += rest[..<found.lowerBound]
            rest = rest[found.upperBound...]
            var depth = 1
            while depth > 0, let next = rest.popFirst() { depth += next == "<" ? 1 : next == ">" ? -1 : 0 }
        }
        return result + rest
    }

    /// `f<int>` for `void f<int>`. The name of an operator, and one that does not belong to a function, such as `guard
    /// variable for x`, are left as they are.
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
