import Support
import Testing

/// A table of a document that is made of golden data. It is between two marks:
/// `<!-- counts begin: NAME -->` and `<!-- counts end -->`.
struct CountTable: CustomTestStringConvertible, Sendable {
    let name: String
    let head: String
    let rows: @Sendable () -> [String]

    static let document = "\(Goldens.folder)/counts.md"

    static let all = [
        CountTable(
            name: "variants", head: "| scenario | variants | end in | traces |\n|---|---|---|---|",
            rows: variantRows),
        CountTable(
            name: "sizes", head: "| scenario, variant | parameters | traces |\n|---|---|--:|", rows: sizeRows),
        CountTable(
            name: "schedules",
            head: "| scenario, variant | parameters | ends in | preemptions | steps |\n|---|---|---|--:|--:|",
            rows: scheduleRows),
        CountTable(
            name: "states", head: "| program | parameters | states | moves |\n|---|---|--:|--:|", rows: stateRows),
    ]

    var testDescription: String { name }

    var text: String { ([head] + rows()).map { $0 + "\n" }.joined() }

    /// The document with this table in place of the one that it has; nil if it has none.
    func placed(in document: String) -> String? {
        let (begin, end) = ("<!-- counts begin: \(name) -->\n", "<!-- counts end -->\n")
        let parts = document.split(separator: begin, omittingEmptySubsequences: false)
        guard parts.count == 2, let rest = parts[1].firstRange(of: end) else { return nil }
        return parts[0] + begin + "\n" + text + "\n" + parts[1][rest.lowerBound...]
    }

    // MARK: - Rows

    /// One for the variants of a scenario that end alike, in the order in which the first of them appears.
    private static func variantRows() -> [String] {
        struct Group {
            var scenario: String
            var end: String
            var variants: [String] = []
            var counts: [String] = []
        }
        var groups: [Group] = []
        for (program, values) in GoldenTable.variants.rows {
            let words = Words(program)
            let end = values[0] == "completed" ? "proved: none fails" : "found: \(values[0])"
            let place =
                groups.firstIndex { $0.scenario == words.scenario && $0.end == end }
                ?? {
                    let place = (groups.lastIndex { $0.scenario == words.scenario } ?? groups.count - 1) + 1
                    groups.insert(Group(scenario: words.scenario, end: end), at: place)
                    return place
                }()
            groups[place].variants.append("`\(words.variant)`")
            groups[place].counts.append(grouped(values[1]))
        }
        return namedOnce(
            groups.map { group in
                let isSame = group.counts.count > 1 && Set(group.counts).count == 1
                let isLong = group.counts.contains { $0.contains(",") }
                let counts =
                    isSame ? "\(group.counts[0]) each" : group.counts.joined(separator: isLong ? "; " : ", ")
                return (group.scenario, "\(group.variants.joined(separator: ", ")) | \(group.end) | \(counts)")
            })
    }

    private static func sizeRows() -> [String] {
        GoldenTable.sizes.rows.map { program, values in
            let words = Words(program)
            return "| `\(words.scenario)`, `\(words.variant)` | `\(words.parameters)` | \(grouped(values[0])) |"
        }
    }

    private static func scheduleRows() -> [String] {
        let outcomes = Dictionary(
            uniqueKeysWithValues: VariantCall.broken.map { ($0.words, $0.outcome?.rawValue ?? "") })
        return GoldenTable.schedules.rows.map { program, values in
            let words = Words(program)
            let parameters = words.parameters.isEmpty ? "" : "`\(words.parameters)` "
            return "| `\(words.scenario)`, `\(words.variant)` | \(parameters)| \(outcomes[program] ?? "") "
                + "| \(values[0]) | \(values[1]) |"
        }
    }

    private static func stateRows() -> [String] {
        GoldenTable.states.rows.map { program, values in
            let words = program.split(separator: " ", maxSplits: 1)
            let parameters = words.count == 2 ? "`\(words[1])` " : ""
            let name = words[0].split(separator: "/").last ?? ""
            return "| `\(name)` | \(parameters)| \(grouped(values[0])) | \(grouped(values[1])) |"
        }
    }

    /// The scenario's name is in the first of its rows.
    private static func namedOnce(_ rows: [(scenario: String, rest: String)]) -> [String] {
        var last = ""
        return rows.map { scenario, rest in
            defer { last = scenario }
            return scenario == last ? "| | \(rest) |" : "| `\(scenario)` | \(rest) |"
        }
    }

    /// `6,000`.
    private static func grouped(_ number: String) -> String {
        let digits = Array(number)
        return digits.indices.map { ($0 > 0 && (digits.count - $0) % 3 == 0 ? "," : "") + String(digits[$0]) }.joined()
    }

    /// `deadlock --variant ring --pause 0`.
    private struct Words {
        let scenario: String
        let variant: String
        let parameters: String

        init(_ program: String) {
            let words = program.split(separator: " ", maxSplits: 3).map(String.init)
            (scenario, variant, parameters) = (words[0], words[2], words.count > 3 ? words[3] : "")
        }
    }
}
