import Arguments
import Diagnosis
import Text

/// The option `--diagnose`: which findings are reported.
enum DiagnoseOption {
    static let option = TypedOption.text(
        "diagnose", placeholder: "WHICH", of: .findings,
        "Findings to report: 'all', 'none', or a list such as TL103,race; by default faults and warnings")

    static func selection(_ which: String?, _ session: Session) throws(Complaint) -> FindingSelection {
        switch which {
        case nil: return .important
        case "all": return .all
        case "none": return .none
        case let list?:
            var codes: Set<FindingCode> = []
            for word in list.split(separator: ",", omittingEmptySubsequences: false) {
                codes.insert(try code(String(word), session))
            }
            return .only(codes)
        }
    }

    private static func code(_ word: String, _ session: Session) throws(Complaint) -> FindingCode {
        if let code = FindingCode(word: word) { return code }
        let all = FindingCode.allCases
        let known = ["all", "none"] + all.map(\.name) + all.map(\.rawValue)
        let hint = closest(to: word, among: known).map { "did you mean '\($0)'?" }
        throw Complaint(
            "\(option.spelling): '\(word.printable)' is not a finding: "
                + "\(hint ?? "'\(session.program) explain' lists them")"
        )
    }
}
