/// Words that the project no longer uses, and what it says instead (docs/glossary.md, CONTRIBUTING.md, "Style").
struct Idiom {
    /// A regular expression. It matches whole words, in upper and lower case.
    let pattern: String
    let replacement: String

    static let rejected = [
        Idiom(pattern: "whoever", replacement: "the thread that …"),
        Idiom(pattern: "whom?(?!-)", replacement: "the subject is a thing: 'the thread that …'"),
        Idiom(pattern: "(some|every|any)(body|one)", replacement: "'a thread', 'all threads', 'any thread'"),
        Idiom(pattern: "nobody(?!-)", replacement: "no thread"),
        Idiom(pattern: "for ever", replacement: "forever"),
        Idiom(pattern: "circles?", replacement: "cycle"),
        Idiom(pattern: "mend(s|ed|ing)?", replacement: "fixed"),
        Idiom(pattern: "(is|are) no (file|step|error|fault|list|number|race|thread|lock)", replacement: "is not a …"),
        Idiom(pattern: "as is usual", replacement: "default"),
        Idiom(pattern: "so (many|long)", replacement: "'N', 'limit'"),
        Idiom(pattern: "comes? to (an|the|its|their|one|no|nothing)", replacement: "'reaches', 'ends'"),
        Idiom(pattern: "(is|are) told", replacement: "'is reported', 'learns'"),
        Idiom(pattern: "(told|tells?|telling) apart", replacement: "distinguish"),
        Idiom(pattern: "stands? (there|beside|at|in|behind)", replacement: "'is', 'is written'"),
        Idiom(pattern: "(go|goes|going|went) on", replacement: "continue"),
        Idiom(pattern: "(gives?|gave|given|giving) back", replacement: "'release', 'return'"),
        Idiom(pattern: "lets? go", replacement: "release"),
        Idiom(pattern: "(wound|winds?) up", replacement: "tear down"),
        Idiom(pattern: "ways? out", replacement: "return path"),
        Idiom(pattern: "can not", replacement: "cannot"),
        Idiom(pattern: "if need be", replacement: "if necessary"),
        Idiom(pattern: "in vain", replacement: "'fails', 'without result'"),
        Idiom(pattern: "seldom", replacement: "rarely"),
        Idiom(pattern: "(anew|once more)", replacement: "again"),
        Idiom(pattern: "to and fro", replacement: "back and forth"),
        Idiom(pattern: "of late", replacement: "recently"),
        Idiom(pattern: "in (one go|few words)", replacement: "'at once', 'briefly'"),
        Idiom(pattern: "gravest", replacement: "most severe"),
        Idiom(pattern: "those who", replacement: "'threads that …'"),
        Idiom(pattern: "(takes? note|keeps? account) of", replacement: "'notes', 'tracks'"),
        Idiom(pattern: "sees? to it", replacement: "ensures"),
        Idiom(pattern: "(comes?|came) of", replacement: "'the result of'"),
        Idiom(pattern: "what there (is|are)", replacement: "name the thing"),
        Idiom(pattern: "(can|could) be had", replacement: "'is available', 'can be acquired'"),
        Idiom(
            pattern: "(is|are) no (directory|event|integer|JSON|misuse|name|object|operation|operator|UTF-8)",
            replacement: "is not a …"),
        Idiom(
            pattern: "(colour|neighbour|behaviour|honour|optimis|organis|recognis|synchronis)[a-z]*",
            replacement: "American spelling"),
        Idiom(pattern: "signalled", replacement: "signaled"),
    ]

    /// Each use of an idiom in the text: the line, counted from 0, and what to write.
    static func uses(in text: String) throws -> [(line: Int, advice: String)] {
        let any = try Regex(word(rejected.map(\.pattern).joined(separator: "|"))).ignoresCase()
            .wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
        return try text.matches(of: any).map { match in
            let idiom = try rejected.first { idiom in
                try text[match.range].wholeMatch(of: Regex(word(idiom.pattern)).ignoresCase()) != nil
            }
            let line = text[..<match.range.lowerBound].count { $0 == "\n" }
            return (line, "'\(text[match.range])': write \(idiom?.replacement ?? "something else")")
        }
    }

    private static func word(_ pattern: String) -> String { #"\b(?:"# + pattern + #")\b"# }
}
