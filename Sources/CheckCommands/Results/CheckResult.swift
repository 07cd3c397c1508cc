import Console
import Reports
import Supervision
import Text
import Trace

/// The result of a check or of one part of it, as `check --result` writes it to a file, from which `check --merge`
/// makes every report.
struct CheckResult {
    /// The result of one scenario under one memory model.
    struct Entry {
        /// The index of the scenario's name in `names`.
        let unit: Int
        /// The memory model with which the scenario's name in reports ends: `tso` in `a.lab under tso`. Empty: none.
        let condition: String
        /// The scenario as it was judged, before any baseline.
        let scenario: CheckedScenario
        /// The trace of the failure, as it is saved. Empty: there is none.
        let trace: [UInt8]
    }

    /// An option, and its value as a text.
    struct Setting: Equatable {
        let name: String
        let value: String
    }

    /// The options on which the result depends, with their values.
    var settings: [Setting]
    /// The part that was checked. Nil: everything.
    var shard: Shard?
    /// What the command line covers, which decides whether a name in a baseline should be the name of a scenario.
    var scope: CheckScope.Coverage
    /// The names of all scenarios, in the order of `CheckUnit.all`, whichever part they belong to.
    var names: [String]
    /// For each name, the number of its part, from 1.
    var parts: [Int]
    /// The duration of the whole check, in nanoseconds.
    var duration: UInt64
    var isInterrupted: Bool
    /// The entries, in the order of the names.
    var entries: [Entry]

    /// How long each scenario took, by its name, in nanoseconds.
    var durations: [String: UInt64] {
        Dictionary(entries.map { (names[$0.unit], $0.scenario.duration) }, uniquingKeysWith: &+)
    }
}

extension CheckResult {
    static let file = SealedFile.checkResult

    func write(to file: NewFile) throws(Complaint) {
        let content = Self.file.content(self)
        try file.write { $0.write(content) }
    }

    init(file path: String) throws(Complaint) { self = try Self.file.read(path) }

    /// Throws if the result contains a damaged trace, so that this is found before reports are written, and the message
    /// names the result's file.
    ///
    /// - Parameter path: the result's file.
    func requireTraces(_ path: String) throws(Complaint) {
        for entry in entries where !entry.trace.isEmpty {
            do throws(TraceFormatError) {
                _ = try TraceReader.read(entry.trace)
            } catch {
                let name = names[entry.unit].printable
                throw Complaint("\(path.printable) is damaged: the trace of \(name): \("\(error)".printable)")
            }
        }
    }
}

extension CheckResult: Message {
    func write(to words: inout WordWriter) {
        words.add(settings) { words, setting in
            words.add(setting.name)
            words.add(setting.value)
        }
        words.add(shard?.number ?? 0)
        words.add(shard?.count ?? 0)
        words.add(scope)
        words.add(names) { $0.add($1) }
        words.add(parts) { $0.add($1) }
        words.add(Int(bitPattern: UInt(duration)))
        words.add(isInterrupted ? 1 : 0)
        words.add(entries)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        settings = try words.list { words throws(DamagedMessage) in
            Setting(name: try words.text(), value: try words.text())
        }
        // A check that is not divided is written as part 0 of 0.
        let (number, count) = (try words.word(), try words.word())
        guard (0...Shard.most).contains(count), (min(count, 1)...count).contains(number) else { throw DamagedMessage() }
        shard = count == 0 ? nil : Shard(number: number, count: count)
        scope = try words.message()
        names = try words.list { words throws(DamagedMessage) in try words.text() }
        parts = try words.list { words throws(DamagedMessage) in try words.count() }
        duration = try words.time()
        isInterrupted = try words.word() != 0
        entries = try words.list()
        guard parts.count == names.count, Set(names).count == names.count,
            entries.allSatisfy({ names.indices.contains($0.unit) }),
            zip(entries, entries.dropFirst()).allSatisfy({ $0.unit <= $1.unit })
        else { throw DamagedMessage() }
    }
}

extension CheckResult.Entry: Message {
    func write(to words: inout WordWriter) {
        words.add(unit)
        words.add(condition)
        words.add(scenario)
        words.add(packed: trace)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            unit: try words.word(), condition: try words.text(), scenario: try words.message(),
            trace: try words.packedBytes())
    }
}
