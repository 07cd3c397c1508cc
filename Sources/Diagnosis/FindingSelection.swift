/// A selection of findings to report.
package enum FindingSelection: Equatable, Sendable {
    /// Faults and warnings.
    case important
    case all
    case only(Set<FindingCode>)

    package static let none = only([])

    package func includes(_ finding: Finding) -> Bool {
        switch self {
        case .important: finding.severity != .note
        case .all: true
        case .only(let codes): codes.contains(finding.code)
        }
    }
}
