import Console
import Reports
import Text

/// The file of `check --baseline`: the known failures of a project, which are allowed, by scenario. All others fail the
/// check, and so does a listed scenario that passes.
struct Baseline {
    private let list: NameList

    /// The failures of a scenario that are allowed.
    enum Allowance {
        /// Any failure: the list, of an older version, contains only the scenario's name.
        case all
        case these(Set<String>)

        func allows(_ failures: [String]) -> Bool { beyond(failures).isEmpty }

        /// The failures that are not allowed.
        func beyond(_ failures: [String]) -> [String] {
            switch self {
            case .all: []
            case .these(let known): failures.filter { !known.contains($0) }
            }
        }

        /// The failures that are allowed, and have not occurred.
        func unseen(_ failures: [String]) -> [String] {
            switch self {
            case .all: []
            case .these(let known): known.subtracting(failures).sorted()
            }
        }
    }

    init(_ path: String) throws(Complaint) {
        list = try NameList(path, "the failures", writtenBy: Self.option, hasFailures: true)
    }

    private static var option: String { CheckAction.command.options.reports.content.newBaseline.spelling }

    /// The failures of the scenario that are allowed. Nil: the scenario is not listed.
    func allowance(of name: String, _ file: CheckedFile?) -> Allowance? {
        guard let entry = list.entry(name, file) else { return nil }
        let failures = list.failures(of: entry)
        return failures.isEmpty ? .all : .these(failures)
    }

    /// Why a scenario that is listed, but passes, fails the check.
    var complaintAboutPass: String { "listed in \(list.path.printable), but passes: remove it there" }

    /// The listed names that the check covers, but that belong to no scenario, each with a message.
    func strays(_ judge: StrayJudge) -> [(name: String, message: String)] {
        judge.strays(of: list).map { name in
            (name, "listed in \(list.path.printable), but is not among the scenarios checked: remove it there")
        }
    }

    /// Remarks at the end of a check, on failures that differ from what is listed.
    ///
    /// - Parameters:
    ///   - subjects: the listed scenarios that were checked, with their allowances.
    ///   - beyond: the scenarios that failed in ways that are not listed.
    ///   - unseen: the scenarios for which a complete search has not seen a listed failure.
    func remarks(
        _ subjects: [(name: String, allowance: Allowance)], beyond: [(name: String, failures: [String])],
        unseen: [(name: String, failures: [String])]
    ) -> [String] {
        let withoutFailure = subjects.count { if case .all = $0.allowance { true } else { false } }
        let path = list.path.printable
        var remarks = beyond.map { name, failures in
            "\(path) does not list this failure of \(name.printable): \(failures.joined(separator: ", "))"
        }
        remarks += unseen.map { name, failures in
            "\(path) lists a failure of \(name.printable) that does not occur any more: "
                + failures.joined(separator: ", ")
        }
        if withoutFailure > 0 {
            let scenarios = withoutFailure == 1 ? "1 scenario" : "\(withoutFailure) scenarios"
            let them = withoutFailure == 1 ? "it" : "them"
            remarks.append(
                "\(path) lists \(scenarios) without a failure, and so allows any failure of \(them); "
                    + "\(Self.option) writes the list with the failures")
        }
        return remarks
    }

    /// The number of scenarios in a repository whose listed names are not relative to its root, as in lists of older
    /// versions. Nil: there are none.
    func outdated(_ subjects: [CheckReports.Subject], in folder: NamingFolder) -> Int? {
        guard folder.isRepository else { return nil }
        let count = subjects.count { subject in
            list.entry(subject.name, subject.file).map { $0 != NameList.key(subject.name) } ?? false
        }
        return count == 0 ? nil : count
    }

    /// The remark at the end of a check on names that are not relative to the repository's root.
    ///
    /// - Parameter outdated: their number.
    func remark(_ outdated: Int) -> String {
        let names = outdated == 1 ? "1 name" : "\(outdated) names"
        return "\(list.path.printable) has \(names) from another folder than the repository's root; "
            + "they still count, and \(Self.option) writes them again"
    }

    /// The content of the file that lists these failures.
    package static func text(_ known: [CheckedScenario], program: String) -> String {
        NameList.text(
            known.map { ($0.name, $0.failures) },
            title: "Known failures of '\(program) check': --baseline allows them, and fails on all others.")
    }
}

/// The scenarios of a project that are proved, and must remain so: the counterpart of a baseline.
struct ProvedList {
    private let list: NameList

    init(_ path: String) throws(Complaint) {
        let option = CheckAction.command.options.reports.content.newProofs.spelling
        list = try NameList(path, "the proofs", writtenBy: option)
    }

    /// Whether the list contains this name. Other paths of the scenario's file do not count.
    func lists(_ name: String) -> Bool { list.entry(name, nil) != nil }

    /// Why a scenario that passes fails the check.
    func complaint(about scenario: CheckedScenario) -> String {
        let reason = scenario.reasonWhyNotProved.map { ": \($0)" } ?? ": there was no search"
        return "listed in \(list.path.printable) as proved, and is not any more\(reason)"
    }

    /// The listed names that the check covers, but that belong to no scenario, each with a message.
    func strays(_ judge: StrayJudge) -> [(name: String, message: String)] {
        judge.strays(of: list).map { name in
            (
                name,
                "listed in \(list.path.printable) as proved, but is not among the scenarios checked: remove it there"
            )
        }
    }

    /// The content of the file that lists these names.
    package static func text(_ names: [String], program: String) -> String {
        NameList.text(
            names.map { ($0, []) },
            title: "Proofs of '\(program) check': --proved fails if one of them is not a proof any more.")
    }
}
