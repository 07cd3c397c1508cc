import Reports
import Supervision
import Text
import Trace

/// What a check has found, in a file from which `merge` makes every report.
///
/// The file is for the same version of threadlab: a mark with the version, words, and a checksum. Whatever else the bytes are,
/// reading says so.
struct CheckResult {
    /// What a scenario of the command line has shown. One with several memory models has several.
    struct Entry {
        /// The number of the scenario among the names.
        let unit: Int
        /// The memory model that its name ends in. Empty: none.
        let condition: String
        /// As it was judged, whatever a baseline says.
        let scenario: CheckedScenario
        /// The trace of the failure, as it is saved. Empty: there is none.
        let trace: [UInt8]
    }

    struct Setting: Equatable {
        let name: String
        let value: String
    }

    /// What the result depends on, beside the scenarios: options with their values.
    var settings: [Setting]
    /// The part that was checked. Nil: everything.
    var shard: Shard?
    /// What the command line names, for the judgement of baselines.
    var scope: CheckScope.Coverage
    /// The names of all scenarios, in the order of the command line, whichever part they belong to.
    var names: [String]
    /// The part of each, from 1.
    var parts: [Int]
    /// Of the whole check, in nanoseconds.
    var duration: UInt64
    var isInterrupted: Bool
    /// In the order of the names.
    var entries: [Entry]

    /// How long each scenario took, by its name, in nanoseconds.
    var durations: [String: UInt64] {
        Dictionary(entries.map { (names[$0.unit], $0.scenario.duration) }, uniquingKeysWith: &+)
    }
}

extension CheckResult {
    private static let mark = "threadlab result 1 "
    private static let greatestSize = 1 << 31
    private static let longestVersion = 64

    private static var head: [UInt8] { Array("\(mark)\(Session.version)\n".utf8) }

    func write(to file: NewFile) throws(Complaint) {
        var words = WordWriter()
        words.add(self)
        let content = Self.head + words.bytes
        try file.write { $0.write(content + Self.checksum(content[...])) }
    }

    init(file path: String) throws(Complaint) {
        let bytes = try InputFile(path).content(upTo: Self.greatestSize, "a result of a check")
        guard bytes.starts(with: Self.mark.utf8) else {
            let option = CheckAction.command.options.reports.content.result.spelling
            throw Complaint("\(path.printable) is not a result of a check: 'check \(option) FILE' writes one")
        }
        guard bytes.starts(with: Self.head) else {
            let rest = bytes.dropFirst(Self.mark.utf8.count).prefix(Self.longestVersion).prefix { $0 != 0x0A }
            let version = String(decoding: rest, as: UTF8.self)
            throw Complaint(
                "\(path.printable) is of version \(version.printable) of threadlab, and this is \(Session.version): "
                    + "merge it with that version")
        }
        do throws(DamagedMessage) {
            guard bytes.count >= Self.head.count + 8, Array(bytes.suffix(8)) == Self.checksum(bytes.dropLast(8)),
                var reader = WordReader(bytes: bytes[Self.head.count..<bytes.count - 8])
            else { throw DamagedMessage() }
            self = try reader.message()
            try reader.finish()
        } catch {
            throw Complaint("\(path.printable) is damaged, or not complete: check that part again")
        }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let hash = FNV1a.hash(bytes)
        return (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
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
        let (number, count) = (try words.word(), try words.word())
        guard (0...Shard.most).contains(count), (min(count, 1)...count).contains(number) else { throw DamagedMessage() }
        shard = count == 0 ? nil : Shard(number: number, count: count)
        scope = try words.message()
        names = try words.list { words throws(DamagedMessage) in try words.text() }
        parts = try words.list { words throws(DamagedMessage) in try words.word() }
        duration = UInt64(UInt(bitPattern: try words.word()))
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
