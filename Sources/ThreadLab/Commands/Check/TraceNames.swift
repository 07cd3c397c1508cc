/// Names of files, made from names of scenarios: letters, digits, dots and hyphens, each name different.
struct TraceNames {
    private static let longest = 100

    /// By the number of the scenario.
    let names: [String]

    init(_ scenarios: [String], suffix: String = ".trace") {
        var taken: Set<String> = []
        names = scenarios.map { scenario in
            let stem = Self.stem(scenario)
            var name = stem
            var number = 1
            while !taken.insert(name).inserted {
                number += 1
                name = "\(stem)-\(number)"
            }
            return name + suffix
        }
    }

    private static func stem(_ scenario: String) -> String {
        let name = LabFiles.isLabFile(scenario) ? scenario.dropLast(LabFiles.suffix.count) : scenario[...]
        let safe = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        // A name must not begin with a dot, which hides it, or a hyphen, which makes it an option.
        let stem = String(safe.drop { ".-".contains($0) }.prefix(longest))
        return stem.isEmpty ? "scenario" : stem
    }
}
