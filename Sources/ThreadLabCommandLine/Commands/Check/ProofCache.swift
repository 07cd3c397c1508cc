import Authoring
import CompiledExecution
import Diagnosis
import EngineDigest
import Glibc
import Supervision
import Text
import Trace

/// Proofs of earlier checks, each in a file of its own.
///
/// A file contains everything that the proof depends on, and reading compares all of it: the hash in its name only
/// has to spread the names, so that a collision costs a search and never gives a wrong proof (but a compiled program and what
/// it reads at its start are there as hashes of 64 bits, which are not secure). A file that is damaged
/// in any way, or is another user's, counts as none, and is replaced.
struct ProofCache {
    private static let greatestSize = 1 << 22
    /// The number increases whenever a proof of an earlier search may be wrong, or means something else.
    private static let mark = "threadlab proof 5\n"

    let folder: String
    private let plan: CheckPlan

    init(_ folder: String, _ plan: CheckPlan) throws(Complaint) {
        _ = try OutputFolder(making: folder, for: "proofs")
        try Owner.require(of: folder, "a cache", orElse: "name a folder of yours")
        self.folder = folder
        self.plan = plan
    }

    /// The proof of this scenario, if there is one.
    ///
    /// - Parameters:
    ///   - name: what its file is called, wherever the check is typed. Nil: it has none.
    ///   - source: the file's content.
    func proof(of scenario: any Runnable, named name: String?, _ source: [UInt8]?) -> Evidence? {
        guard let key = key(scenario, name, source), Owner.doubt(about: path(key)) == nil else { return nil }
        guard let bytes = try? InputFile(path(key)).content(upTo: Self.greatestSize, "a proof") else { return nil }
        let head = Self.head(key)
        guard bytes.starts(with: head), bytes.count >= head.count + 8 else { return nil }
        let body = bytes[head.count..<bytes.count - 8]
        guard Array(bytes.suffix(8)) == Self.checksum(bytes.dropLast(8)), let evidence = Evidence(bytes: body),
            Self.isProof(evidence, scenario)
        else { return nil }
        return evidence
    }

    /// Remembers what a search has shown, if that is a proof.
    func remember(
        _ evidence: Evidence, of scenario: any Runnable, named name: String?, _ source: [UInt8]?
    ) throws(Complaint) {
        guard Self.isProof(evidence, scenario), let key = key(scenario, name, source) else { return }
        let content = Self.head(key) + evidence.bytes
        // A link of this name is replaced.
        try NewFile(path: path(key)).write { $0.write(content + Self.checksum(content[...])) }
    }

    /// Whether everything was tried, and the search alone shows what the scenario promises.
    private static func isProof(_ evidence: Evidence, _ scenario: any Runnable) -> Bool {
        let states = scenario.soughtStates
        return evidence.runtime == .controlled && evidence.isProof
            && evidence.seenStates.allSatisfy(states.indices.contains)
            && Judgement.mismatches([evidence], scenario.expectation, states: states).isEmpty
    }

    // MARK: - The file

    private func path(_ key: [UInt8]) -> String { "\(folder)/\(FNV1a.word(key)).proof" }

    private static func head(_ key: [UInt8]) -> [UInt8] { Array("\(mark)\(key.count)\n".utf8) + key }

    /// Everything that the proof depends on. Each part says how long it is, so that no two keys are alike. Nil: it cannot be told.
    private func key(_ scenario: any Runnable, _ name: String?, _ source: [UInt8]?) -> [UInt8]? {
        var parts = [
            // No proof of another engine is used: it may have called something proved that is not.
            "version \(Session.version)", "engine \(EngineDigest.word)", "seed \(plan.seed)",
            "executions \(plan.executions)", "free time \(scenario.hasFreeTime)", "model \(scenario.model.rawValue)",
            // What the rules leave open; and which of its claims count.
            "spurious \(plan.spurious.map(String.init) ?? "open")", "model given \(plan.isModelGiven)",
            "general \(scenario.isAboutRealThreads)", name ?? scenario.name,
        ]
        parts += scenario.arguments.map { "\($0.name)=\($0.value)" }
        // A search of a .lab program runs no code of this program's scenarios.
        if scenario is CompiledProgram {
            guard let circumstances = CompiledProgram.circumstances else { return nil }
            parts += circumstances
        } else if scenario.runsOwnCode {
            parts.append(Self.executable)
        }
        let text = parts.flatMap { Array("\($0.utf8.count) \($0)\n".utf8) }
        return text + (source ?? [])
    }

    /// The identity of this program's file. As for `make`, its size and the time of its last change stand for its
    /// content, which would take longer to read than most scenarios take to check.
    private static var executable: String {
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return "program \(UInt64.random(in: 0 ... .max))" }
        return "program \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let hash = FNV1a.hash(bytes)
        return (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
    }
}
