import Reports
import Text

/// The known failures of a project.
struct Baseline {
    private let list: NameList

    init(_ path: String) throws(Complaint) {
        let option = CheckAction.command.options.reports.content.newBaseline.spelling
        list = try NameList(path, "the failures", writtenBy: option)
    }

    func lists(_ name: String, _ file: CheckedFile?) -> Bool { list.entry(name, file) != nil }

    /// Why a scenario that is listed, but passes, fails the check.
    var complaintAboutPass: String { "listed in \(list.path.printable), but passes: remove it there" }

    /// The names that belong to no scenario, though the check is about them, each with what is wrong.
    func strays(_ judge: StrayJudge) -> [(name: String, message: String)] {
        judge.strays(of: list).map { name in
            (name, "listed in \(list.path.printable), but is not among the scenarios checked: remove it there")
        }
    }

    /// How many files are listed under other names than those by which a check in a repository knows them. Nil: none.
    func outdated(_ subjects: [CheckReports.Subject], in folder: NamingFolder) -> Int? {
        guard folder.isRepository else { return nil }
        let count = subjects.count { subject in
            list.entry(subject.name, subject.file).map { $0 != NameList.key(subject.name) } ?? false
        }
        return count == 0 ? nil : count
    }

    /// A hint at the end of a check that has met outdated names.
    func remark(_ outdated: Int) -> String {
        let names = outdated == 1 ? "1 name" : "\(outdated) names"
        let option = CheckAction.command.options.reports.content.newBaseline.spelling
        return "\(list.path.printable) has \(names) from another folder than the repository's root; "
            + "they still count, and \(option) writes them again"
    }

    /// The content of the file that lists these names.
    static func text(_ names: [String], program: String) -> String {
        NameList.text(
            names, title: "Known failures of '\(program) check': --baseline allows them, and fails on all others.")
    }
}

/// What is proved of a project, and must remain so: the counterpart of a baseline.
struct ProvedList {
    private let list: NameList

    init(_ path: String) throws(Complaint) {
        let option = CheckAction.command.options.reports.content.newProofs.spelling
        list = try NameList(path, "the proofs", writtenBy: option)
    }

    func lists(_ name: String) -> Bool { list.entry(name, nil) != nil }

    /// Why a scenario that passes fails the check.
    func complaint(about scenario: CheckedScenario) -> String {
        let reason = scenario.reasonWhyNotProved.map { ": \($0)" } ?? ": there was no search"
        return "listed in \(list.path.printable) as proved, and is not any more\(reason)"
    }

    /// The names that belong to no scenario, though the check is about them, each with what is wrong.
    func strays(_ judge: StrayJudge) -> [(name: String, message: String)] {
        judge.strays(of: list).map { name in
            (
                name,
                "listed in \(list.path.printable) as proved, but is not among the scenarios checked: remove it there"
            )
        }
    }

    /// The content of the file that lists these names.
    static func text(_ names: [String], program: String) -> String {
        NameList.text(
            names, title: "Proofs of '\(program) check': --proved fails if one of them is not a proof any more.")
    }
}
