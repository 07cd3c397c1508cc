import Diagnosis
import Glibc
import Trace

/// Memory in which one process counts what runs show and another reads it, however the first one ended.
///
/// Words, then text. The words: how many runs are done; the present run; how much text there is; and for each outcome its
/// count, the seed of the first run that had it, and where that run's explanation is in the text.
final class EvidenceMemory {
    private enum Word {
        static let runs = 0
        /// When the present run began. 0: there is none.
        static let begin = 1
        static let seed = 2
        static let textLength = 3
        /// Where in the text stands what went wrong with threadlab itself, plus one. 0: nothing did.
        static let failure = 4
        static let count = 5
        static let exampleSeed = count + OutcomeKind.allCases.count
        static let example = exampleSeed + OutcomeKind.allCases.count
        static let states = example + OutcomeKind.allCases.count
    }

    private static let textCapacity = 1 << 20

    private let words: UnsafeMutablePointer<UInt64>
    private let text: UnsafeMutableRawBufferPointer
    private let mappedSize: Int
    private let states: [String]

    /// - Parameter states: the scenario's sought states.
    init(states: [String]) throws(SupervisionFailed) {
        let wordsSize = (Word.states + states.count) * MemoryLayout<UInt64>.stride
        mappedSize = wordsSize + Self.textCapacity
        let address = mmap(nil, mappedSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let address, address != MAP_FAILED else {
            throw SupervisionFailed("no memory for what runs show: \(String(cString: strerror(errno)))")
        }
        words = address.bindMemory(to: UInt64.self, capacity: Word.states + states.count)
        text = UnsafeMutableRawBufferPointer(start: address + wordsSize, count: Self.textCapacity)
        self.states = states
    }

    deinit { munmap(words, mappedSize) }

    // MARK: - Writing

    /// A run begins.
    func begin(seed: UInt64?) {
        words[Word.seed] = seed ?? 0
        words[Word.begin] = RecordingClock.nanoseconds()
    }

    /// The run that was begun has ended so.
    ///
    /// - Parameter trace: nil if it is lost.
    func end(_ outcome: Outcome, _ trace: TraceDocument? = nil) {
        let kind = Self.number(of: outcome.kind)
        if words[Word.count + kind] == 0 {
            words[Word.exampleSeed + kind] = words[Word.seed]
            words[Word.example + kind] = keep([outcome.summary] + outcome.details)
        }
        words[Word.count + kind] += 1
        if !states.isEmpty, let trace {
            for event in trace.events where event.kind == .stateSeen {
                guard let state = trace.text(of: event).flatMap({ states.firstIndex(of: $0) }) else { continue }
                words[Word.states + state] += 1
            }
        }
        words[Word.runs] += 1
        words[Word.begin] = 0
    }

    /// threadlab itself could not go on.
    func fail(_ message: String) { words[Word.failure] = keep([message]) }

    /// Where the lines stand, plus one. 0: there is no room for the first of them; of the others, as many as fit are kept.
    private func keep(_ lines: [String]) -> UInt64 {
        let start = Int(words[Word.textLength])
        var end = start + MemoryLayout<Int>.size
        var count = 0
        for line in lines {
            let bytes = Array(line.utf8)
            guard end + MemoryLayout<Int>.size + bytes.count <= text.count else { break }
            text.storeBytes(of: bytes.count, toByteOffset: end, as: Int.self)
            end += MemoryLayout<Int>.size
            UnsafeMutableRawBufferPointer(rebasing: text[end...]).copyBytes(from: bytes)
            end += bytes.count
            count += 1
        }
        guard count > 0 else { return 0 }
        text.storeBytes(of: count, toByteOffset: start, as: Int.self)
        words[Word.textLength] = UInt64(end)
        return UInt64(start) + 1
    }

    // MARK: - Reading

    // The writer ran somebody's program, which may have written anywhere: nothing that is read here is relied on.

    /// How many runs have ended.
    var runs: Int { count(at: Word.runs) }

    /// The run that was begun and has not ended: when, in nanoseconds, and with which seed. Nil: there is none.
    var present: (begin: UInt64, seed: UInt64)? {
        words[Word.begin] == 0 ? nil : (words[Word.begin], words[Word.seed])
    }

    /// What went wrong with threadlab itself.
    var failure: String? { lines(at: count(at: Word.failure)).first }

    /// - Parameter guide: the section of the guide that treats what the scenario shows.
    func evidence(_ runtime: TraceHeader.Runtime, of wantedRuns: Int, guide: String?) -> Evidence {
        var evidence = Evidence(runtime, runs: runs, of: wantedRuns)
        for kind in OutcomeKind.allCases {
            let number = Self.number(of: kind)
            let count = count(at: Word.count + number)
            guard count > 0 else { continue }
            let lines = lines(at: self.count(at: Word.example + number))
            let outcome = Outcome(
                kind, summary: lines.first ?? "", details: Array(lines.dropFirst()), guide: guide)
            let seed = runtime == .controlled ? words[Word.exampleSeed + number] : nil
            evidence.sightings.append(Evidence.Sighting(count: count, outcome: outcome, seed: seed))
        }
        evidence.states = states.indices.map { count(at: Word.states + $0) }
        return evidence
    }

    private func count(at word: Int) -> Int { Int(clamping: words[word]) }

    private func lines(at place: Int) -> [String] {
        guard place > 0 else { return [] }
        var position = place - 1
        func number() -> Int? {
            guard position <= text.count - MemoryLayout<Int>.size else { return nil }
            defer { position += MemoryLayout<Int>.size }
            return text.loadUnaligned(fromByteOffset: position, as: Int.self)
        }
        var lines: [String] = []
        let count = number() ?? 0
        while lines.count < count, let length = number(), (0...text.count - position).contains(length) {
            lines.append(String(decoding: text[position..<position + length], as: UTF8.self))
            position += length
        }
        return lines
    }

    private static func number(of kind: OutcomeKind) -> Int { OutcomeKind.allCases.firstIndex(of: kind)! }
}
