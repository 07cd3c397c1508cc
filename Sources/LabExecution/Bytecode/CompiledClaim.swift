import LabProgram
import Machine

/// A claim about the states of a run: the last one if it has completed, or each.
struct CompiledClaim {
    enum Kind {
        /// It must be true.
        case always
        case never
        /// It must be true in every state.
        case invariant
        /// It must be true in some state: whether it has been is kept in this shared word.
        case eventually(word: Int)
        /// If it is true, this is recorded.
        case sometimes
        /// The same, in any state: whether it has been is kept in this shared word.
        case possible(word: Int)
        /// Its value is the number of the matching row, plus one, or 0. A row must match. These are the rows' texts.
        case outcomes([String])
        /// The calls that the run has recorded must be linearizable: the value is 1 if they are.
        case linearizable
    }

    var kind: Kind
    /// Whether the program says that some run breaks it.
    var isBroken: Bool
    /// A body that leaves its value in slot 0.
    var body: Int
    var text: String
    var line: Int
    /// What its value depends on, for messages.
    var places: [Program.Place] = []
    /// See `ClaimEnd.place`.
    var place = 0
}

extension CompiledClaim {
    /// Whether the value breaks the claim.
    func isBroken(by value: Int) -> Bool {
        switch kind {
        case .always, .invariant, .eventually, .outcomes, .linearizable: value == 0
        case .never: value != 0
        case .sometimes, .possible: false
        }
    }

    /// Why a run that breaks the claim ends.
    var failure: String {
        switch kind {
        case .always, .never, .sometimes, .possible: "at the end, '\(text)' does not hold"
        case .invariant: "the invariant '\(text)' does not hold"
        case .eventually: "'\(text)' does not hold: it was true in no state"
        case .outcomes: "no row of 'outcomes' has the values at the end"
        case .linearizable: "the calls are not linearizable"
        }
    }

    /// The same with the values of what it is about, if there are any.
    ///
    /// - Parameter values: `a is 1 and b is 2`.
    func failure(with values: String) -> String {
        if values.isEmpty { return failure }
        return switch kind {
        case .always, .never, .sometimes, .possible, .invariant: "\(failure): \(values)"
        case .eventually: "\(failure), and at the end \(values)"
        case .outcomes: "at the end \(values), which no row of 'outcomes' has"
        case .linearizable: "\(failure): \(values)"
        }
    }

    /// The same, if the claim cannot be evaluated.
    ///
    /// - Parameter reason: nil if it is not known.
    func failure(because reason: String?) -> String {
        switch kind {
        case .outcomes: failure
        case .always, .never, .sometimes, .possible, .invariant, .eventually, .linearizable:
            "'\(text)' has no value" + (reason.map { ": \($0)" } ?? "")
        }
    }

    /// How a run ends that breaks it.
    var verdict: Verdict { isBroken ? .brokenClaim : .claim }

    /// Whether it is a state that some run must reach, and this run has, before now.
    func isSeen(_ shared: UnsafeMutablePointer<Int>) -> Bool {
        if case .possible(let word) = kind { shared[word] != 0 } else { false }
    }

    /// Whether it is about a state that some run must reach, not only at its end.
    var isPossible: Bool { if case .possible = kind { true } else { false } }

    /// The text of a state that some run must end in, if this run did.
    func seenState(_ value: Int) -> String? {
        switch kind {
        case .always, .never, .invariant, .eventually, .linearizable: nil
        case .sometimes, .possible: value != 0 ? text : nil
        case .outcomes(let rows): value > 0 && !isBroken ? rows[value - 1] : nil
        }
    }
}
