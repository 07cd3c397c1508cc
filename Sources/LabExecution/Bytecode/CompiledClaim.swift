import LabProgram
import Machine

/// A claim about the states of a run: about the last one of a run that completes, or about each.
struct CompiledClaim {
    enum Kind {
        /// It must be true.
        case always
        case never
        /// It must be true in every state.
        case invariant
        /// It must be true in some state. The shared word stores whether it has been.
        case eventually(word: Int)
        /// Some run must end in a state in which it is true. If this one does, that is recorded.
        case sometimes
        /// Some run must have a state in which it is true. The shared word stores whether this one had.
        case possible(word: Int)
        /// Its value is the number of the matching row plus one, or 0 if no row matches, which breaks it. These are the
        /// rows' texts.
        case outcomes([String])
        /// The calls that the run has recorded must be linearizable: the value is 1 if they are.
        case linearizable
    }

    var kind: Kind
    /// Whether the program says that some run breaks the claim.
    var isBroken: Bool
    /// The number of the body that computes the claim, and leaves its value in slot 0.
    var body: Int
    var text: String
    var line: Int
    /// The places on which its value depends, for messages.
    var places: [Program.Place] = []
    /// See `ClaimEnd.place`.
    var place = 0
}

extension CompiledClaim {
    func isBroken(by value: Int) -> Bool {
        switch kind {
        case .always, .invariant, .eventually, .outcomes, .linearizable: value == 0
        case .never: value != 0
        case .sometimes, .possible: false
        }
    }

    /// The reason why a run that breaks the claim ends.
    var failure: String {
        switch kind {
        case .always, .never, .sometimes, .possible: "at the end, '\(text)' does not hold"
        case .invariant: "the invariant '\(text)' does not hold"
        case .eventually: "'\(text)' does not hold: it was true in no state"
        case .outcomes: "no row of 'outcomes' has the values at the end"
        case .linearizable: "the calls are not linearizable"
        }
    }

    /// The reason, with the values of the claim's places, if any.
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

    /// The reason, if the claim cannot be evaluated.
    ///
    /// - Parameter reason: why it cannot be evaluated. Nil: unknown.
    func failure(because reason: String?) -> String {
        switch kind {
        case .outcomes: failure
        case .always, .never, .sometimes, .possible, .invariant, .eventually, .linearizable:
            "'\(text)' has no value" + (reason.map { ": \($0)" } ?? "")
        }
    }

    /// The verdict on a run that breaks the claim.
    var verdict: Verdict { isBroken ? .brokenClaim : .claim }

    /// Whether it is a state that some run must reach, and this run has reached it before now.
    func isSeen(_ shared: UnsafeMutablePointer<Int>) -> Bool {
        if case .possible(let word) = kind { shared[word] != 0 } else { false }
    }

    /// Whether it is about a state that some run must reach at any time, not only at its end.
    var isPossible: Bool { if case .possible = kind { true } else { false } }

    /// The text of a state that some run must end in, if this run ended in it.
    func seenState(_ value: Int) -> String? {
        switch kind {
        case .always, .never, .invariant, .eventually, .linearizable: nil
        case .sometimes, .possible: value != 0 ? text : nil
        case .outcomes(let rows): value > 0 && !isBroken ? rows[value - 1] : nil
        }
    }
}
