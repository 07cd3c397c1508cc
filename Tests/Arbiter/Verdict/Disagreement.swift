import Exploration
import Trace

/// What an engine says that is not so.
package struct Disagreement: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, the same for all programs: a program that is made smaller must still show it.
    package let engine: Sighting.Engine
    package let complaint: String
    /// What was expected and found.
    package let details: String

    package var description: String { "\(engine.rawValue): \(complaint): \(details)" }
}

extension Sighting {
    /// How it differs from the arbiter's judgment.
    package func disagreements(with judgment: Judgment) -> [Disagreement] {
        var list: [Disagreement] = []
        func add(_ complaint: String, _ details: String) {
            list.append(Disagreement(engine: engine, complaint: complaint, details: details))
        }
        // In an execution that is meant to go on nothing more ends: that is as good as a completion.
        let possible = judgment.possibleKinds
        let invented = kinds.subtracting(possible)
        for kind in invented.sorted(by: { $0.rawValue < $1.rawValue }) {
            add("found \(kind.rawValue), which cannot be", "possible: \(Self.text(possible))")
        }
        let unknown = messages.filter { judgment.failures(saying: $0).isEmpty }
        for message in unknown.sorted() { add("found a failure that cannot be", message) }
        if let ends { look(for: ends, judgment, &list) }
        if isProof {
            look(forMissing: judgment, &list)
        } else if kinds.isEmpty && reason == nil {
            add("no finding, no proof and no reason", "")
        }
        return list
    }

    private func look(forMissing judgment: Judgment, _ list: inout [Disagreement]) {
        let needed = judgment.neededKinds
        for kind in needed.subtracting(kinds).sorted(by: { $0.rawValue < $1.rawValue }) {
            list.append(
                Disagreement(
                    engine: engine, complaint: "a proof without \(kind.rawValue)", details: "found: \(Self.text(kinds))"))
        }
        guard listsAll else { return }
        let found = Set(messages.flatMap { judgment.failures(saying: $0) })
        let lacking = judgment.firstFailures.subtracting(found)
        for failure in lacking.map(judgment.text).sorted() {
            list.append(
                Disagreement(
                    engine: engine, complaint: "a proof without a failure",
                    details: "lacks \(failure); found: \(messages.sorted())"))
        }
        guard let ends else { return }
        let seen = Set(ends.map { Row($0) })
        let missing = judgment.rows.subtracting(seen)
        if let row = missing.min(by: { $0.text < $1.text }) {
            list.append(
                Disagreement(
                    engine: engine, complaint: "a proof without a state at the end (\(row.kind))",
                    details: "lacks \(row.text), one of \(missing.count)"))
        }
    }

    private func look(for ends: Set<TerminalState>, _ judgment: Judgment, _ list: inout [Disagreement]) {
        let rows = judgment.rows
        let endless: Set<String> = ["livelock", "starvation"]
        let invented = Set(ends.map { Row($0) }).filter { row in
            !rows.contains(row) && !endless.contains(row.kind) && !(row.kind == "completed" && judgment.continuesForever)
        }
        guard let row = invented.min(by: { $0.text < $1.text }) else { return }
        list.append(
            Disagreement(
                engine: engine, complaint: "a state at the end that cannot be (\(row.kind))",
                details: "\(row.text), one of \(invented.count)"))
    }

    private static func text(_ kinds: Set<OutcomeKind>) -> String { kinds.map(\.rawValue).sorted().joined(separator: ", ") }
}

/// One way to end, with the values of all variables.
struct Row: Hashable {
    let kind: String
    let values: [Int]

    init(_ state: TerminalState) {
        kind = state.kind.rawValue
        values = state.memory.map(\.value)
    }

    init(_ end: End) {
        kind = end.kind.rawValue
        values = end.memory
    }

    var text: String { "\(kind) with \(values)" }
}

extension Judgment {
    var rows: Set<Row> { Set(ends.filter { $0.kind != .livelock }.map { Row($0) }) }

    var possibleKinds: Set<OutcomeKind> {
        var kinds = Set(ends.compactMap { OutcomeKind(rawValue: $0.kind.rawValue) })
        if hasLivelock { kinds.insert(.livelock) }
        if hasStarvation { kinds.insert(.starvation) }
        return kinds.union([.completed])
    }

    /// What a proof must have found. One endless run is enough, the worst one.
    var neededKinds: Set<OutcomeKind> {
        var kinds = Set(ends.compactMap { OutcomeKind(rawValue: $0.kind.rawValue) })
        if hasLivelock { kinds.insert(.livelock) } else if hasStarvation { kinds.insert(.starvation) }
        return kinds.subtracting([.completed])
    }

    var firstFailures: Set<Failure> { Set(ends.compactMap(\.first)) }

    func text(_ failure: Failure) -> String {
        switch failure {
        case .assert(let number): "assert \(asserts[number])"
        case .claim(let number): claims[number].text
        }
    }

    /// The failures that threadlab describes in these words, and that are possible.
    func failures(saying message: String) -> Set<Failure> {
        ends.reduce(into: Set<Failure>()) { $0.formUnion($1.failures) }.filter { failure in
            switch failure {
            case .assert(let number): message == "'\(asserts[number])' does not hold"
            case .claim(let number): message == claims[number].complaint
            }
        }
    }
}

extension Tree.Claim {
    /// What threadlab says if it does not hold.
    fileprivate var complaint: String {
        switch self {
        case .always(let claim): "at the end, 'always \(claim.text(isClaim: true))' does not hold"
        case .never(let claim): "at the end, 'never \(claim.text(isClaim: true))' does not hold"
        case .invariant(let claim): "the invariant '\(claim.text(isClaim: true))' does not hold"
        case .eventually(let claim): "'eventually \(claim.text(isClaim: true))' does not hold: it was true in no state"
        case .outcomes: "the values at the end are not among the outcomes that are expected"
        case .sometimes, .findings: ""
        }
    }
}
