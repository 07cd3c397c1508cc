import LabSyntax
import Machine
import Trace

extension Program {
    /// A claim about the file's runs, from one `expect` or `invariant`. All claims together make up the `Expectation` that runs must
    /// meet.
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
            /// True at the end of no run.
            case never(Expression)
            /// True at the end of at least one run.
            case sometimes(Expression)
            /// True in at least one state of at least one run.
            case possible(Expression)
            /// True in at least one state of every run.
            case eventually(Expression)
            /// True in every state of every run.
            case invariant(Expression)
            /// The values at the end match one of the rows, and each row must occur.
            case outcomes([Place], rows: [Row])
            /// The calls of specified functions in a run that completes are linearizable.
            case linearizable
        }

        /// The values at the end of a run, in the order of the places.
        package struct Row: Sendable {
            package var values: [Final]
            /// As written in the file.
            package var text: String
        }

        /// A value at the end: constants.
        package enum Final: Sendable {
            case value(Expression)
            /// The contents of a list.
            case list([Expression])
        }

        package var kind: Kind
        /// Whether the program says that some run breaks it: at least one must, and others need not hold it either.
        package var isBroken = false
        /// The memory model that it names. Nil: it is about any that its reader asks for.
        package var model: MemoryModel?
        /// The claim as written in the file, without its first word, except for an invariant.
        package var text: String
        package var site: Site
    }
}

extension Program.Claim {
    /// What is claimed, as written in the file: for an invariant its condition, otherwise with the word before it.
    package var assertion: String {
        let words = text.split(separator: " ")
        guard isBroken, let broken = words.firstIndex(of: "broken") else { return text }
        let isInvariant = if case .invariant = kind { true } else { false }
        return words[(broken + (isInvariant ? 2 : 1))...].joined(separator: " ")
    }
}

extension Program {
    /// The claims that some run breaks, according to the program.
    package var brokenClaims: [Claim] { presentClaims.filter { $0.isBroken } }

    /// The claims that are about runs under the program's memory model.
    package var presentClaims: [Claim] {
        claims.filter { $0.model == model || $0.model == nil && includesGeneralClaims }
    }

    /// The memory models that claims name.
    package var claimedModels: [MemoryModel] {
        [.sc, .tso, .rc11].filter { model in claims.contains { $0.model == model } }
    }

    /// The states that some run must reach, each as a text: those that are possible, those that it sometimes ends in, and the rows of
    /// outcomes. If
    /// several claims are broken, some run must break each: then these are states too. One that is broken alone is
    /// known by the outcome.
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
    /// Whether a state counts that some run reaches on its way.
    package var seeksStatesOnTheWay: Bool {
        presentClaims.contains { if case .possible = $0.kind { true } else { false } }
    }
}
