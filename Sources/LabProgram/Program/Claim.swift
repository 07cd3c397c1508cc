import LabSyntax
import Machine
import Trace

extension Program {
    /// A claim about the file's runs, from one `expect` or `invariant`. The claims together make up the `Expectation`
    /// of the file.
    package struct Claim: Sendable {
        package enum Kind: Sendable {
            /// Every run completes.
            case completes
            /// Runs complete or end in one of these ways, each of which must occur.
            case findings([OutcomeKind])
            /// Some runs show these warnings, each of which must occur.
            case warnings([WarningKind])
            /// True at the end of every run that completes.
            case always(Expression)
            /// True at the end of no run that completes.
            case never(Expression)
            /// True at the end of at least one run that completes.
            case sometimes(Expression)
            /// True in at least one state of at least one run.
            case possible(Expression)
            /// True in at least one state of every run.
            case eventually(Expression)
            /// True in every state of every run.
            case invariant(Expression)
            /// The values of these variables at the end of each run that completes are one of the rows, and each row
            /// must occur.
            case outcomes([Place], rows: [Row])
            /// The calls of specified functions in a run that completes are linearizable.
            case linearizable
        }

        /// The values at the end of a run, in the order of the places.
        package struct Row: Sendable {
            package var values: [Final]
            /// The row as written in the file.
            package var text: String
        }

        /// A value at the end, as constants.
        package enum Final: Sendable {
            case value(Expression)
            /// The contents of a list.
            case list([Expression])
        }

        package var kind: Kind
        /// Whether the claim is meant to fail (`expect broken …`): at least one run must break it, and other runs need
        /// not.
        package var isBroken = false
        /// The memory model that the claim names. Nil: it names none, and `includesGeneralClaims` decides whether it
        /// counts.
        package var model: MemoryModel?
        /// The claim as written in the file, after the first word, which is `expect` or `invariant`.
        package var text: String
        package var site: Site
    }
}

extension Program.Claim {
    /// The claim as written in the file, but only what follows the word `broken`, if there is one: the condition of an
    /// invariant, and otherwise a text such as `always x == 2`.
    package var assertion: String {
        let words = text.split(separator: " ")
        guard isBroken, let broken = words.firstIndex(of: "broken") else { return text }
        let isInvariant = if case .invariant = kind { true } else { false }
        return words[(broken + (isInvariant ? 2 : 1))...].joined(separator: " ")
    }
}

extension Program {
    /// The claims about runs under the program's memory model that are meant to fail.
    package var brokenClaims: [Claim] { presentClaims.filter { $0.isBroken } }

    /// The claims about runs under the program's memory model.
    package var presentClaims: [Claim] {
        claims.filter { $0.model == model || $0.model == nil && includesGeneralClaims }
    }

    /// The memory models that claims name.
    package var claimedModels: [MemoryModel] {
        [.sc, .tso, .rc11].filter { model in claims.contains { $0.model == model } }
    }

    /// What at least one run must show apart from its outcome, as written in the file: each `sometimes` and `possible`;
    /// each row of an `outcomes` that is not meant to fail; and, if several claims are meant to fail, each of these. If
    /// only one is, the outcome `broken-claim` of a run already shows it.
    package var soughtStates: [String] {
        var states: [String] = []
        let broken = brokenClaims
        for claim in presentClaims {
            var more: [String] =
                switch claim.kind {
                case .sometimes, .possible: [claim.text]
                case .outcomes(_, let rows): claim.isBroken ? [] : rows.map(\.text)
                case .completes, .findings, .warnings, .always, .never, .eventually, .invariant, .linearizable: []
                }
            if claim.isBroken && broken.count > 1 { more.append(claim.text) }
            // A state that is required twice is listed once.
            for state in more where !states.contains(state) { states.append(state) }
        }
        return states
    }
}

extension Program {
    /// Whether some run must reach a state that need not be its last one: a claim says `possible`.
    package var seeksStatesOnTheWay: Bool {
        presentClaims.contains { if case .possible = $0.kind { true } else { false } }
    }
}
