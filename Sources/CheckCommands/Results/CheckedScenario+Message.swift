import Console
import Diagnosis
import Reports
import Supervision
import Trace

/// A scenario's result, as words in a file of `check --result`. The numbers in the enumerations below are part of the
/// file's format.
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
        words.add(
            (hasPlainMemory ? Flag.hasPlainMemory : 0) | (isKnown ? Flag.isKnown : 0)
                | (isRemembered ? Flag.isRemembered : 0) | (isCompiled ? Flag.isCompiled : 0))
        words.add(trace) { $0.add($1) }
        words.add(lanes) { $0.add($1) }
        words.add(account)
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
        let flags = try words.word()
        let trace = try words.optional { words throws(DamagedMessage) in try words.text() }
        let lanes = try words.list { words throws(DamagedMessage) in try words.text() }
        let account: [AccountRow] = try words.list()
        let verdict = try Verdict(from: &words, evidence)
        self.init(name, verdict, expectation: expectation, states: states, evidence: evidence, duration: duration)
        self.allotted = allotted
        self.file = file
        self.line = line
        self.trace = trace
        self.lanes = lanes
        self.account = account
        hasPlainMemory = flags & Flag.hasPlainMemory != 0
        isKnown = flags & Flag.isKnown != 0
        isRemembered = flags & Flag.isRemembered != 0
        isCompiled = flags & Flag.isCompiled != 0
    }

    private func write(_ verdict: Verdict, to words: inout WordWriter) {
        switch verdict {
        case .asExpected: words.add(VerdictNumber.asExpected)
        case .mismatched(let flaws): write(VerdictNumber.mismatched, flaws, to: &words)
        case .evading(let differences):
            words.add(VerdictNumber.evading)
            words.add(differences)
        case .undecided(let flaws): write(VerdictNumber.undecided, flaws, to: &words)
        case .wrong(let text): write(VerdictNumber.wrong, text, to: &words)
        case .stale(let text): write(VerdictNumber.stale, text, to: &words)
        case .error(let text): write(VerdictNumber.error, text, to: &words)
        case .notRun: words.add(VerdictNumber.notRun)
        case .lostProof(let text): write(VerdictNumber.lostProof, text, to: &words)
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
            words.add(MismatchNumber.notAllowed)
            words.add(sighting)
        case .outcomeNotSeen(let kind, _):
            words.add(MismatchNumber.outcomeNotSeen)
            words.add(kind.rawValue)
        case .stateNotSeen(let state, _): write(MismatchNumber.stateNotSeen, state, to: &words)
        case .warningNotSeen(let kind, _):
            words.add(MismatchNumber.warningNotSeen)
            words.add(kind.rawValue)
        case .notRepeatable(let discrepancy, _): write(MismatchNumber.notRepeatable, discrepancy, to: &words)
        case .notProved(let limit, _):
            words.add(MismatchNumber.notProved)
            words.add(limit.rawValue)
        case .busyWaiting(let waiting, _):
            words.add(MismatchNumber.busyWaiting)
            words.add(waiting)
        case .nothingSeen: words.add(MismatchNumber.nothingSeen)
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
        case VerdictNumber.asExpected: self = .asExpected
        case VerdictNumber.mismatched: self = .mismatched(try flaws(&words))
        case VerdictNumber.evading:
            let differences: [CheckedScenario.Difference] = try words.list()
            if differences.isEmpty { throw DamagedMessage() }
            self = .evading(differences)
        case VerdictNumber.undecided: self = .undecided(try flaws(&words))
        case VerdictNumber.wrong: self = .wrong(try words.text())
        case VerdictNumber.stale: self = .stale(try words.text())
        case VerdictNumber.error: self = .error(try words.text())
        case VerdictNumber.notRun: self = .notRun
        case VerdictNumber.lostProof: self = .lostProof(try words.text())
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
        case MismatchNumber.notAllowed: self = .notAllowed(try words.message(), in: evidence)
        case MismatchNumber.outcomeNotSeen: self = .outcomeNotSeen(try words.value(), in: evidence)
        case MismatchNumber.stateNotSeen: self = .stateNotSeen(try words.text(), in: evidence)
        case MismatchNumber.warningNotSeen: self = .warningNotSeen(try words.value(), in: evidence)
        case MismatchNumber.notRepeatable: self = .notRepeatable(try words.text(), in: evidence)
        case MismatchNumber.notProved: self = .notProved(try words.value(), in: evidence)
        case MismatchNumber.busyWaiting: self = .busyWaiting(try words.message(), in: evidence)
        case MismatchNumber.nothingSeen: self = .nothingSeen(in: evidence)
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

/// The numbers of the verdicts.
private enum VerdictNumber {
    static let asExpected = 0
    static let mismatched = 1
    static let evading = 2
    static let undecided = 3
    static let wrong = 4
    static let stale = 5
    static let error = 6
    static let notRun = 7
    static let lostProof = 8
}

/// The numbers of the kinds of mismatches.
private enum MismatchNumber {
    static let notAllowed = 0
    static let outcomeNotSeen = 1
    static let stateNotSeen = 2
    static let warningNotSeen = 3
    static let notRepeatable = 4
    static let notProved = 5
    static let busyWaiting = 6
    static let nothingSeen = 7
}

/// The bits of the word that holds a result's Boolean properties.
private enum Flag {
    static let hasPlainMemory = 1
    static let isKnown = 2
    static let isRemembered = 4
    static let isCompiled = 8
}

extension AccountRow: Message {
    package func write(to words: inout WordWriter) {
        words.add(gap) { $0.add($1) }
        words.add(thread)
        words.add(step)
        words.add(place)
        words.add(role.rawValue)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            gap: try words.optional { words throws(DamagedMessage) in try words.text() }, thread: try words.text(),
            step: try words.text(), place: try words.optional(), role: try words.value())
    }
}
