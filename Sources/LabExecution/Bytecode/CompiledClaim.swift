import LabProgram
import Machine

/// An `expect` or `invariant` of the program, compiled: a claim about the last state of each run that completes, or
/// about all states of a run.
struct CompiledClaim {
    enum Kind {
        /// The condition must be true at the end.
        case always
        /// The condition must be false at the end.
        case never
        /// The condition must be true in every state.
        case invariant
        /// The condition must be true in some state of each run. The shared word stores whether it has been in this
        /// one.
        case eventually(word: Int)
        /// Some run must end in a state in which the condition is true. If this one does, that is recorded.
        case sometimes
        /// Some run must have a state in which the condition is true. The shared word stores whether this one had.
        case possible(word: Int)
        /// The values at the end must match one of the rows, whose texts these are. The claim's value is the number of
        /// the matching row plus one, or 0 if none matches.
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
    /// Whether this value of the claim means that it does not hold.
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
    /// - Parameter values: for example `a is 1 and b is 2`.
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

    /// Whether the claim is a `possible` one, and this run has already reached a state in which it is true.
    func isSeen(_ shared: UnsafeMutablePointer<Int>) -> Bool {
        if case .possible(let word) = kind { shared[word] != 0 } else { false }
    }

    /// Whether the claim is a `possible` one: about a state that some run must reach, at its end or before.
    var isPossible: Bool { if case .possible = kind { true } else { false } }

    /// The text of the state that some run must reach, if this run has reached it.
    ///
    /// - Parameter value: the claim's value.
    func seenState(_ value: Int) -> String? {
        switch kind {
        case .always, .never, .invariant, .eventually, .linearizable: nil
        case .sometimes, .possible: value != 0 ? text : nil
        case .outcomes(let rows): value > 0 && !isBroken ? rows[value - 1] : nil
        }
    }
}
