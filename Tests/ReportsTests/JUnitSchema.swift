/// The rules of junit-10.xsd, the schema by which Jenkins's xUnit plugin accepts or rejects a report, for the elements
/// that a check writes. Others read less strictly.
enum JUnitSchema {
    private struct Rule {
        var required: Set<String> = []
        var optional: Set<String> = []
        var children: Set<String> = []
        var hasText = false
    }

    private static let message = Rule(optional: ["type", "message"], hasText: true)
    private static let rules = [
        "testsuites": Rule(
            optional: ["name", "time", "tests", "failures", "errors"], children: ["testsuite"]),
        "testsuite": Rule(
            required: ["name", "tests", "failures", "errors"],
            optional: ["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"],
            children: ["testsuite", "properties", "testcase", "system-out", "system-err"]),
        "testcase": Rule(
            required: ["name"], optional: ["time", "classname", "group"],
            children: ["skipped", "error", "failure", "system-out", "system-err"]),
        "skipped": message, "error": message, "failure": message,
        "system-out": Rule(hasText: true), "system-err": Rule(hasText: true),
    ]

    /// The reasons for rejecting the document, one sentence each.
    static func violations(of root: XMLElement) -> [String] {
        (root.name == "testsuites" ? [] : ["the root is <\(root.name)>"]) + problems(of: root)
    }

    private static func problems(of element: XMLElement) -> [String] {
        guard let rule = rules[element.name] else { return ["<\(element.name)> is not known"] }
        let names = Set(element.attributes.keys)
        var problems = rule.required.subtracting(names).map { "<\(element.name)> has no \($0)" }
        problems += names.subtracting(rule.required.union(rule.optional)).map { "<\(element.name)> has \($0)" }
        problems += element.children.map(\.name).filter { !rule.children.contains($0) }
            .map { "<\($0)> is inside <\(element.name)>" }
        if !rule.hasText, !element.text.allSatisfy(\.isWhitespace) { problems.append("<\(element.name)> has text") }
        if let time = element.attributes["time"], time.wholeMatch(of: /[0-9]*(\.[0-9]*)?/) == nil {
            problems.append("<\(element.name)> has the time '\(time)'")
        }
        return problems + element.children.flatMap { self.problems(of: $0) }
    }
}
