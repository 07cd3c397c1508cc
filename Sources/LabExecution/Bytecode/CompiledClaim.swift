import Execution
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
        /// Its value is the number of the matching row, plus one, or 0. A row must match. These are the rows' texts.
        case outcomes([String])
    }

    var kind: Kind
    /// Whether the program says that some run breaks it.
    var isBroken: Bool
    /// A body that leaves its value in slot 0.
    var body: Int
    var text: String
    var line: Int
    /// See `ClaimEnd.place`.
    var place = 0
}

/// The claims that do not hold at one moment of a run. Made once for all executions of an engine: many may end like this.
struct BrokenClaims: ~Copyable {
    typealias Claim = (number: Int, hasValue: Bool)

    private let buffer: OwnedBuffer<Claim>
    private(set) var count = 0
    /// The one that the run's end is about: the first that the program does not call broken itself, or else the first.
    private(set) var first: Claim?
    private var isFirstExpected = false

    init(capacity: Int) { buffer = OwnedBuffer(capacity: max(capacity, 1)) }

    mutating func removeAll() {
        count = 0
        first = nil
    }

    mutating func append(_ number: Int, hasValue: Bool, _ bytecode: Bytecode) {
        buffer[count] = (number, hasValue)
        count += 1
        let isExpected = bytecode.claims[number].isBroken
        guard first == nil || isFirstExpected && !isExpected else { return }
        first = (number, hasValue)
        isFirstExpected = isExpected
    }

    /// In the order of the program.
    var all: [Claim] { (0..<count).map { buffer[$0] } }
}

extension CompiledClaim {
    /// The claim's value at the end.
    ///
    /// - Parameters:
    ///   - shared: the run's shared words.
    ///   - word: returns the value of the object with this number.
    /// - Throws: `AssertionFailed`, if it has no value.
    func final(
        _ bytecode: Bytecode, _ interpreter: Interpreter, shared: UnsafeMutablePointer<Int>, _ word: (UInt32) -> Int
    ) throws -> Int {
        if case .eventually(let place) = kind, shared[place] != 0 { return 1 }
        return try value(bytecode, interpreter, word)
    }

    /// The claim's value in a state in the middle of a run. A claim that must be true in some state takes note
    /// of it if it is true in this one.
    ///
    /// - Throws: `AssertionFailed`, if an invariant has no value.
    /// - Returns: nil for a claim that says nothing of this state.
    func observed(
        _ bytecode: Bytecode, _ interpreter: Interpreter, shared: UnsafeMutablePointer<Int>, _ word: (UInt32) -> Int
    ) throws -> Int? {
        switch kind {
        case .always, .never, .sometimes, .outcomes: return nil
        case .invariant: return try value(bytecode, interpreter, word)
        case .eventually(let place):
            if shared[place] == 0, let value = try? value(bytecode, interpreter, word) { shared[place] = value }
            return nil
        }
    }

    private func value(_ bytecode: Bytecode, _ interpreter: Interpreter, _ word: (UInt32) -> Int) throws -> Int {
        let compiled = bytecode.bodies[body]
        let memory = OwnedBuffer<Int>(capacity: compiled.words)
        let words = memory.base
        defer { extendLifetime(memory) }
        ThreadWords.begin(words, compiled, index: 0)
        var patience = Bytecode.patience
        var stop = Stop(.ended, line: 0)
        var operation = Operation(.yield)
        while true {
            switch interpreter.advance(words, patience: &patience, &operation, &stop) {
            case .operation: interpreter.complete(words, word(operation.object))
            case .ended: return words[ThreadWords.count]
            default: throw AssertionFailed(bytecode.message(of: stop, words), at: .unknown)
            }
        }
    }

    /// Whether the value breaks the claim.
    func isBroken(by value: Int) -> Bool {
        switch kind {
        case .always, .invariant, .eventually, .outcomes: value == 0
        case .never: value != 0
        case .sometimes: false
        }
    }

    /// Why a run that breaks the claim ends.
    var failure: String {
        switch kind {
        case .always, .never, .sometimes: "at the end, '\(text)' does not hold"
        case .invariant: "the invariant '\(text)' does not hold"
        case .eventually: "'\(text)' does not hold: it was true in no state"
        case .outcomes: "the values at the end are not among the outcomes that are expected"
        }
    }

    /// The same, if the claim cannot be evaluated.
    ///
    /// - Parameter reason: nil if it is not known.
    func failure(because reason: String?) -> String {
        switch kind {
        case .outcomes: failure
        case .always, .never, .sometimes, .invariant, .eventually:
            "'\(text)' has no value" + (reason.map { ": \($0)" } ?? "")
        }
    }

    /// How a run ends that breaks it.
    var verdict: Verdict { isBroken ? .brokenClaim : .claim }

    /// The text of a state that some run must end in, if this run did.
    func seenState(_ value: Int) -> String? {
        switch kind {
        case .always, .never, .invariant, .eventually: nil
        case .sometimes: value != 0 ? text : nil
        case .outcomes(let rows): value > 0 && !isBroken ? rows[value - 1] : nil
        }
    }
}
