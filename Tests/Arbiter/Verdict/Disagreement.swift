import Exploration
import Machine
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
        var possible = judgment.possibleKinds
        if isCutOff && judgment.races { possible.insert(.race) }
        let invented = kinds.subtracting(possible)
        for kind in invented.sorted(by: { $0.rawValue < $1.rawValue }) {
            add("found \(kind.rawValue), which cannot be", "possible: \(Self.text(possible))")
        }
        let unknown = messages.filter { judgment.failure(saying: $0) == nil }
        for message in unknown.sorted() { add("found a failure that cannot be", message) }
        if !claims.isSubset(of: judgment.failingClaims.keys) { add("found a claim broken that is not", "") }
        for state in seenStates.subtracting(judgment.seenStates).sorted() { add("saw a state that cannot be", state) }
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
                    engine: engine, complaint: "a proof without \(kind.rawValue)", details: "found: \(Self.text(kinds))"
                ))
        }
        guard listsAll else { return }
        let found = Set(
            messages.compactMap { judgment.failure(saying: $0) } + claims.compactMap { judgment.failingClaims[$0] })
        for failure in judgment.failures.subtracting(found).map(judgment.text).sorted() {
            list.append(
                Disagreement(
                    engine: engine, complaint: "a proof without a failure",
                    details: "lacks \(failure); found: \(found.map(judgment.text).sorted())"))
        }
        for state in judgment.seenStates.intersection(judgment.soughtStates).subtracting(seenStates).sorted() {
            list.append(Disagreement(engine: engine, complaint: "a proof without a sought state", details: state))
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
            !rows.contains(row) && !endless.contains(row.kind)
                && !(judgment.continuesForever && ["completed", "race"].contains(row.kind))
                && !(isCutOff && judgment.races && row == Row.ofRaceThatIsCutOff)
        }
        guard let row = invented.min(by: { $0.text < $1.text }) else { return }
        list.append(
            Disagreement(
                engine: engine, complaint: "a state at the end that cannot be (\(row.kind))",
                details: "\(row.text), one of \(invented.count)"))
    }

    private static func text(_ kinds: Set<OutcomeKind>) -> String {
        kinds.map(\.rawValue).sorted().joined(separator: ", ")
    }
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

    /// An execution with a race that took too many steps, which has no state at its end.
    static let ofRaceThatIsCutOff = Row(TerminalState(.race, []))

    var text: String { "\(kind) with \(values)" }
}

extension Judgment {
    var rows: Set<Row> { Set(ends.filter { $0.kind != .livelock }.map { Row($0) }) }

    /// Of runs that end, and of each claim that some run breaks.
    private var endingKinds: Set<OutcomeKind> {
        var kinds = Set(ends.compactMap { OutcomeKind(rawValue: $0.kind.rawValue) })
        if racesForever { kinds.insert(.race) }
        for case .claim(let number) in failures { kinds.insert(claims[number].isBroken ? .brokenClaim : .claim) }
        return kinds
    }

    var possibleKinds: Set<OutcomeKind> {
        endingKinds.union(endlessKinds).union([.completed])
    }

    /// What a proof must have found.
    var neededKinds: Set<OutcomeKind> { endingKinds.union(endlessKinds).subtracting([.completed]) }

    /// Of runs that never end, and should not be so.
    var endlessKinds: Set<OutcomeKind> {
        var kinds: Set<OutcomeKind> = []
        if hasLivelock { kinds.insert(.livelock) }
        if hasStarvation { kinds.insert(.starvation) }
        return kinds
    }

    var failures: Set<Failure> { ends.reduce(into: []) { $0.formUnion($1.failures) } }

    func text(_ failure: Failure) -> String {
        switch failure {
        case .assert(let number): "assert \(asserts[number])"
        case .claim(let number): claims[number].text
        }
    }

    /// The assertion that fails with this message.
    func failure(saying message: String) -> Failure? {
        failures.first { failure in
            if case .assert(let number) = failure { message == "'\(asserts[number])' does not hold" } else { false }
        }
    }

    /// The claims that some run breaks, by threadlab's numbers.
    var failingClaims: [Int: Failure] {
        var found: [Int: Failure] = [:]
        for case .claim(let number) in failures {
            found[ClaimEnd.place(of: claims[number].complaint)] = .claim(number)
        }
        return found
    }
}

extension Tree.Claim {
    /// What threadlab says if it does not hold.
    fileprivate var complaint: String {
        switch kind {
        case .always, .never: "at the end, '\(words)' does not hold"
        case .invariant(let claim): "the invariant '\(claim.text(isClaim: true))' does not hold"
        case .eventually: "'\(words)' does not hold: it was true in no state"
        case .outcomes: "no row of 'outcomes' has the values at the end"
        case .sometimes, .possible, .findings: ""
        }
    }
}
