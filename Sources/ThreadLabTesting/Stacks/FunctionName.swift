/// Readable names of functions, from the compiler's symbols.
enum FunctionName {
    /// The beginning of the compiler's name for the initial value of a stored property.
    static let variable = "variable initialization expression of "
    /// What precedes the names of static functions and properties.
    static let staticWord = "static "

    /// The function, or the one around it if it is a closure: `Bank.pay(_:)` for a closure in it.
    static func outermost(_ symbol: String) -> String {
        let name = readable(symbol)
        return name.hasPrefix(closure) ? String(name.dropFirst(closure.count)) : name
    }

    private static let closure = "a closure in "

    /// `closure #1 in closure #1 in Bank.pay(_:)` becomes `a closure in Bank.pay(_:)`.
    static func readable(_ symbol: String) -> String {
        var name = Substring(symbol)
        var isClosure = false
        while let place = name.firstRange(of: " in "),
            name.hasAnyPrefix(["closure #", "implicit closure #", "$defer #"])
        {
            isClosure = isClosure || !name.hasPrefix("$defer")
            name = name[place.upperBound...]
        }
        for word in ["specialized ", staticWord, "@objc "] where name.hasPrefix(word) { name.removeFirst(word.count) }
        return isClosure ? closure + name : String(name)
    }
}

extension Substring {
    fileprivate func hasAnyPrefix(_ prefixes: [String]) -> Bool { prefixes.contains { self.hasPrefix($0) } }
}
