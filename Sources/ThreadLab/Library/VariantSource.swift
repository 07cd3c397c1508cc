/// The part of a scenario's Swift file that one variant runs: `run`, and every declaration that is used from there, with
/// only the variant's branch of each `switch`.
///
/// It reads the text by its indentation, which the formatter guarantees: declarations of the file begin in column 0,
/// members in column 4, and the cases of a `switch` stand below its `switch`.
struct VariantSource {
    private let file: String
    private let declarations: [SwiftDeclaration]
    /// Of the variant, as in `case .oppositeOrders`.
    private let caseName: String
    private let otherCases: Set<String>

    /// Nil if the file's form is not the usual one.
    ///
    /// - Parameters:
    ///   - file: the file's name, for the headings.
    ///   - variant: as on the command line.
    init?(of variant: String, in text: String, file: String) {
        declarations = SwiftDeclaration.all(in: text)
        self.file = file
        guard let variants = declarations.first(where: { $0.name == "Variant" }) else { return nil }
        let cases = variants.lines.compactMap(Self.enumCase)
        guard let own = cases.first(where: { $0.word == variant }) else { return nil }
        caseName = own.name
        otherCases = Set(cases.map(\.name)).subtracting([own.name])
    }

    /// Nil if there is no `run`.
    var text: String? {
        let pruned = declarations.map { declaration in
            var copy = declaration
            copy.lines = withoutOtherBranches(declaration.lines)
            return copy
        }
        guard let run = pruned.firstIndex(where: { $0.name == "run" }) else { return nil }
        var used: Set<Int> = []
        var open = [run]
        while let next = open.popLast() {
            guard used.insert(next).inserted else { continue }
            let words = pruned[next].words
            open += pruned.indices.filter { words.contains(pruned[$0].name) && !Self.leftOut.contains(pruned[$0].name) }
        }
        return joined(used.sorted())
    }

    /// The reader has chosen the variant.
    private static let leftOut: Set<String> = ["Variant", "variant"]

    /// Each part that does not continue the one before has a heading.
    private func joined(_ indices: [Int]) -> String {
        var lines: [String] = []
        var end = 0
        for declaration in indices.map({ declarations[$0] }) {
            if declaration.line != end { lines += (lines.isEmpty ? [] : [""]) + ["// \(file):\(declaration.line)"] }
            lines += withoutOtherBranches(declaration.lines).map(String.init)
            end = declaration.line + declaration.lines.count
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// `case oppositeOrders = "opposite-orders"`, `` case `self` ``.
    private static func enumCase(_ line: Substring) -> (name: String, word: String)? {
        let parts = line.split(whereSeparator: { $0 == " " || $0 == "`" })
        guard parts.count >= 2, parts[0] == "case", !parts[1].hasPrefix(".") else { return nil }
        let name = String(parts[1])
        return (name, parts.count >= 4 ? parts[3].filter { $0 != "\"" } : name)
    }

    /// The lines without the branches of other variants.
    private func withoutOtherBranches(_ lines: [Substring]) -> [Substring] {
        var kept: [Substring] = []
        /// The indentation of the branch that is left out.
        var skipped: Int?
        /// The indentation of a `switch` whose branch for the variant has been seen.
        var chosen: Int?
        for line in lines {
            let indent = line.prefix(while: { $0 == " " }).count
            let isLabel = line.dropFirst(indent).hasPrefix("case .") || line.dropFirst(indent).hasPrefix("default:")
            if let limit = skipped, !line.isEmpty, indent < limit || indent == limit && (isLabel || line.hasSuffix("}"))
            {
                skipped = nil
            }
            if let place = chosen, !line.isEmpty, indent < place || indent == place && !isLabel { chosen = nil }
            if isLabel, skipped == nil {
                let names = Set(caseNames(in: line))
                if names.contains(caseName) {
                    chosen = indent
                } else if chosen == indent || !names.isEmpty && names.isSubset(of: otherCases) {
                    skipped = indent
                }
            }
            if skipped == nil { kept.append(line) }
        }
        return kept
    }

    /// `a` and `b` of `case .a, .b: …`.
    private func caseNames(in label: Substring) -> [String] {
        label.prefix { $0 != ":" }.split(separator: ".").dropFirst().map { part in
            String(part.prefix { $0.isLetter || $0.isNumber })
        }
    }
}
