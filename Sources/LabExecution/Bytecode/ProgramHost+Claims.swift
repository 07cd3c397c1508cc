import Execution
import Machine

/// Evaluates a program's claims in a state.
extension ProgramHost {
    /// Evaluates the claims in the current state.
    ///
    /// - Parameters:
    ///   - atEnd: whether this is the last state of a run.
    ///   - stop: receives in `a` the number of the broken claim for which the run ends, and in `b` 1 if it could not be
    ///     evaluated.
    /// - Returns: nil if all claims that can be judged here hold, otherwise `failure`.
    func check(atEnd: Bool, _ stop: UnsafeMutablePointer<Stop>) -> Pause? {
        if bytecode.claims.isEmpty { return nil }
        brokenClaims.pointee.removeAll()
        for (number, claim) in bytecode.claims.enumerated() {
            if case .eventually = claim.kind, !seesEachState { continue }
            do {
                let isKnown = claim.isSeen(interpreter.shared)
                guard let value = try value(of: claim, atEnd: atEnd) else { continue }
                if !isKnown && (atEnd || claim.isPossible) { noteState(claim, value: value) }
                if claim.isBroken(by: value) { brokenClaims.pointee.append(number, hasValue: true, bytecode) }
            } catch {
                brokenClaims.pointee.append(number, hasValue: false, bytecode)
            }
        }
        guard let reason = brokenClaims.pointee.reason else { return nil }
        stop.pointee.a = reason.number
        stop.pointee.b = reason.hasValue ? 0 : 1
        return .failure
    }

    /// The claim's value in the current state. Nil: the claim is not about this state.
    ///
    /// - Throws: `AssertionFailed`, if the claim cannot be evaluated.
    func value(of claim: CompiledClaim, atEnd: Bool) throws -> Int? {
        atEnd
            ? try claim.final(bytecode, interpreter, shared: interpreter.shared) { word(of: $0) }
            : try claim.observed(bytecode, interpreter, shared: interpreter.shared) { word(of: $0) }
    }
}

extension CompiledClaim {
    /// The claim's value at the end.
    ///
    /// - Parameters:
    ///   - shared: the run's shared words.
    ///   - word: returns the value of the object with this number.
    /// - Throws: `AssertionFailed`, if the claim cannot be evaluated.
    func final(
        _ bytecode: Bytecode, _ interpreter: Interpreter, shared: UnsafeMutablePointer<Int>, _ word: (UInt32) -> Int
    ) throws -> Int {
        switch kind {
        case .eventually(let place): if shared[place] != 0 { return 1 }
        case .possible(let place): return shared[place] != 0 ? 1 : (try? value(bytecode, interpreter, word)) ?? 0
        case .linearizable: return try bytecode.judgeCalls(shared)
        case .always, .never, .invariant, .sometimes, .outcomes: break
        }
        return try value(bytecode, interpreter, word)
    }

    /// The claim's value in a state before the end of a run. If a claim that must be true in some state is true in this
    /// one, that is stored in its shared word.
    ///
    /// - Throws: `AssertionFailed`, if an invariant cannot be evaluated.
    /// - Returns: nil for a claim that is not about this state.
    func observed(
        _ bytecode: Bytecode, _ interpreter: Interpreter, shared: UnsafeMutablePointer<Int>, _ word: (UInt32) -> Int
    ) throws -> Int? {
        switch kind {
        case .always, .never, .sometimes, .outcomes, .linearizable: return nil
        case .invariant: return try value(bytecode, interpreter, word)
        case .possible(let place):
            if shared[place] != 0 { return nil }
            shared[place] = (try? value(bytecode, interpreter, word)) ?? 0
            return shared[place]
        case .eventually(let place):
            if shared[place] == 0, let value = try? value(bytecode, interpreter, word) { shared[place] = value }
            return nil
        }
    }

    /// Runs the claim's code with memory of its own; `word` gives the values that its reads find.
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
            case .spawn, .note, .review, .observe, .progress, .failed:
                throw AssertionFailed(bytecode.message(of: stop, words), at: .unknown)
            }
        }
    }
}

/// The claims that do not hold at one moment of a run. An engine reuses the memory for all executions, of which many
/// may end with such claims.
struct BrokenClaims: ~Copyable {
    /// The claim's number, and whether it could be evaluated.
    typealias Claim = (number: Int, hasValue: Bool)

    private let buffer: OwnedBuffer<Claim>
    private(set) var count = 0
    /// The claim that is the reason for the run's end: the first that is not marked broken in the program, or else the
    /// first.
    private(set) var reason: Claim?
    /// Whether `reason` is a claim that the program marks broken.
    private var isReasonExpected = false

    init(capacity: Int) { buffer = OwnedBuffer(capacity: max(capacity, 1)) }

    mutating func removeAll() {
        count = 0
        reason = nil
    }

    mutating func append(_ number: Int, hasValue: Bool, _ bytecode: Bytecode) {
        buffer[count] = (number, hasValue)
        count += 1
        let isExpected = bytecode.claims[number].isBroken
        guard reason == nil || isReasonExpected && !isExpected else { return }
        reason = (number, hasValue)
        isReasonExpected = isExpected
    }

    /// All of these claims, in the order of the program.
    var all: [Claim] { (0..<count).map { buffer[$0] } }
}
