import Execution
import Machine

/// What the claims of a program say of a state.
extension ProgramHost {
    /// Evaluates the claims in the present state.
    ///
    /// - Returns: nil if those that can be judged hold.
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
        guard let first = brokenClaims.pointee.first else { return nil }
        stop.pointee.a = first.number
        stop.pointee.b = first.hasValue ? 0 : 1
        return .failure
    }

    /// What memory holds now, while stores wait, may be what must happen.
    func noteMemory() {
        for claim in bytecode.claims {
            // Where it has no value, it is not true.
            if case .eventually = claim.kind { _ = try? value(of: claim, atEnd: false) }
        }
    }

    /// - Throws: `AssertionFailed`, if it has no value.
    /// - Returns: nil if the claim says nothing of this state.
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
    /// - Throws: `AssertionFailed`, if it has no value.
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

    /// The claim's value in a state in the middle of a run. A claim that must be true in some state takes note
    /// of it if it is true in this one.
    ///
    /// - Throws: `AssertionFailed`, if an invariant has no value.
    /// - Returns: nil for a claim that says nothing of this state.
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
