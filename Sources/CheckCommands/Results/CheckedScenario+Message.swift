import Console
import Diagnosis
import Reports
import Supervision
import Trace

/// A scenario's result, as words in a file of `check --result`. The numbers of the cases are part of the file's format.
extension CheckedScenario: Message {
    package func write(to words: inout WordWriter) {
        words.add(name)
        words.add(file) { $0.add($1) }
        words.add(line) { $0.add($1) }
        words.add(expectation) { $0.add($1) }
        words.add(states) { $0.add($1) }
        words.add(evidence)
        words.add(Int(bitPattern: UInt(duration)))
        words.add(allotted) { $0.add(Int(bitPattern: UInt($1))) }
        words.add((hasPlainMemory ? 1 : 0) | (isKnown ? 2 : 0) | (isRemembered ? 4 : 0) | (isCompiled ? 8 : 0))
        words.add(trace) { $0.add($1) }
        words.add(lanes) { $0.add($1) }
        write(verdict, to: &words)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        let name = try words.text()
        let file = try words.optional { words throws(DamagedMessage) in try words.text() }
        let line = try words.optional { words throws(DamagedMessage) in try words.line() }
        let expectation = try words.optional { words throws(DamagedMessage) in try words.text() }
        let states = try words.list { words throws(DamagedMessage) in try words.text() }
        let evidence: [Evidence] = try words.list()
        guard evidence.allSatisfy({ $0.seenStates.allSatisfy(states.indices.contains) }) else {
            throw DamagedMessage()
        }
        let duration = try words.time()
        let allotted = try words.optional { words throws(DamagedMessage) in try words.time() }
        let marks = try words.word()
        let trace = try words.optional { words throws(DamagedMessage) in try words.text() }
        let lanes = try words.list { words throws(DamagedMessage) in try words.text() }
        let verdict = try Verdict(from: &words, evidence)
        self.init(name, verdict, expectation: expectation, states: states, evidence: evidence, duration: duration)
        self.allotted = allotted
        self.file = file
        self.line = line
        self.trace = trace
        self.lanes = lanes
        hasPlainMemory = marks & 1 != 0
        isKnown = marks & 2 != 0
        isRemembered = marks & 4 != 0
        isCompiled = marks & 8 != 0
    }

    private func write(_ verdict: Verdict, to words: inout WordWriter) {
        switch verdict {
        case .asExpected: words.add(0)
        case .mismatched(let flaws): write(1, flaws, to: &words)
        case .evading(let differences):
            words.add(2)
            words.add(differences)
        case .undecided(let flaws): write(3, flaws, to: &words)
        case .wrong(let text): write(4, text, to: &words)
        case .stale(let text): write(5, text, to: &words)
        case .error(let text): write(6, text, to: &words)
        case .notRun: words.add(7)
        case .lostProof(let text): write(8, text, to: &words)
        }
    }

    private func write(_ kind: Int, _ text: String, to words: inout WordWriter) {
        words.add(kind)
        words.add(text)
    }

    private func write(_ kind: Int, _ flaws: [Flaw], to words: inout WordWriter) {
        words.add(kind)
        words.add(flaws) { words, flaw in
            words.add(flaw.command)
            write(flaw.mismatch, to: &words)
        }
    }

    /// Writes a mismatch. Its evidence is one of the scenario's, which are written already, so only the index follows.
    private func write(_ mismatch: Mismatch, to words: inout WordWriter) {
        words.add(evidence.firstIndex(of: mismatch.evidence) ?? 0)
        switch mismatch {
        case .notAllowed(let sighting, _):
            words.add(0)
            words.add(sighting)
        case .outcomeNotSeen(let kind, _):
            words.add(1)
            words.add(kind.rawValue)
        case .stateNotSeen(let state, _): write(2, state, to: &words)
        case .warningNotSeen(let kind, _):
            words.add(3)
            words.add(kind.rawValue)
        case .notRepeatable(let discrepancy, _): write(4, discrepancy, to: &words)
        case .notProved(let limit, _):
            words.add(5)
            words.add(limit.rawValue)
        case .busyWaiting(let waiting, _):
            words.add(6)
            words.add(waiting)
        case .nothingSeen: words.add(7)
        }
    }
}

extension CheckedScenario.Verdict {
    fileprivate init(from words: inout WordReader, _ evidence: [Evidence]) throws(DamagedMessage) {
        func flaws(_ words: inout WordReader) throws(DamagedMessage) -> [CheckedScenario.Flaw] {
            let flaws = try words.list { words throws(DamagedMessage) in
                let command = try words.text()
                return CheckedScenario.Flaw(try Mismatch(from: &words, evidence), command: command)
            }
            if flaws.isEmpty { throw DamagedMessage() }
            return flaws
        }
        switch try words.word() {
        case 0: self = .asExpected
        case 1: self = .mismatched(try flaws(&words))
        case 2:
            let differences: [CheckedScenario.Difference] = try words.list()
            if differences.isEmpty { throw DamagedMessage() }
            self = .evading(differences)
        case 3: self = .undecided(try flaws(&words))
        case 4: self = .wrong(try words.text())
        case 5: self = .stale(try words.text())
        case 6: self = .error(try words.text())
        case 7: self = .notRun
        case 8: self = .lostProof(try words.text())
        default: throw DamagedMessage()
        }
    }
}

extension Mismatch {
    fileprivate init(from words: inout WordReader, _ all: [Evidence]) throws(DamagedMessage) {
        let number = try words.word()
        guard all.indices.contains(number) else { throw DamagedMessage() }
        let evidence = all[number]
        switch try words.word() {
        case 0: self = .notAllowed(try words.message(), in: evidence)
        case 1: self = .outcomeNotSeen(try words.value(), in: evidence)
        case 2: self = .stateNotSeen(try words.text(), in: evidence)
        case 3: self = .warningNotSeen(try words.value(), in: evidence)
        case 4: self = .notRepeatable(try words.text(), in: evidence)
        case 5: self = .notProved(try words.value(), in: evidence)
        case 6: self = .busyWaiting(try words.message(), in: evidence)
        case 7: self = .nothingSeen(in: evidence)
        default: throw DamagedMessage()
        }
    }
}

extension CheckedScenario.Difference: Message {
    package func write(to words: inout WordWriter) {
        words.add(code)
        words.add(message)
        words.add(line)
        words.add(column)
        words.add(text)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            code: try words.text(), message: try words.text(), line: try words.line(), column: try words.line(),
            text: try words.text())
    }
}
