import Authoring
import CompiledExecution
import Console
import Diagnosis
import EngineDigest
import Glibc
import Supervision
import Text
import Trace

/// The folder of `check --cache`: proofs of earlier checks, each in a file, so that what has not changed is not
/// searched again.
///
/// A file contains everything on which the proof depends (the key), and all of it is compared. So if two keys have the
/// same hash, and thus the same file name, one of them is searched again, but no wrong proof is used. (A compiled
/// program and what it reads at its start are in the key as 64-bit hashes, which are not secure.) A file that is
/// damaged, or that another user could have written, is ignored and replaced.
struct ProofCache {
    /// The maximum size of a file, in bytes. A larger one is ignored.
    private static let greatestSize = 1 << 22
    /// The first line of a file. Its number increases whenever a proof of an earlier search may be wrong, or means
    /// something else.
    private static let firstLine = "threadlab proof 5\n"
    /// The number of bytes of the checksum, at the end of a file.
    private static let checksumSize = 8

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
    ///   - name: the file's name from the naming folder. Nil: the scenario is not from a file, and has its own name.
    ///   - source: the text of the `.lab` program. Nil: the scenario is not from one.
    func proof(of scenario: any Runnable, named name: String?, _ source: [UInt8]?) -> Evidence? {
        guard let key = key(scenario, name, source), Owner.doubt(about: path(key)) == nil else { return nil }
        guard let bytes = try? InputFile(path(key)).content(upTo: Self.greatestSize, "a proof") else { return nil }
        let head = Self.head(key)
        let size = Self.checksumSize
        guard bytes.starts(with: head), bytes.count >= head.count + size else { return nil }
        let body = bytes[head.count..<bytes.count - size]
        guard Array(bytes.suffix(size)) == Self.checksum(bytes.dropLast(size)), let evidence = Evidence(bytes: body),
            Self.isProof(evidence, scenario)
        else { return nil }
        return evidence
    }

    /// Saves the evidence of a search, if it is a proof. The parameters are those of `proof`.
    func remember(
        _ evidence: Evidence, of scenario: any Runnable, named name: String?, _ source: [UInt8]?
    ) throws(Complaint) {
        guard Self.isProof(evidence, scenario), let key = key(scenario, name, source) else { return }
        let content = Self.head(key) + evidence.bytes
        // A link that has this name is replaced, not followed.
        try NewFile(path: path(key)).write { $0.write(content + Self.checksum(content[...])) }
    }

    /// Whether the search was complete, and shows everything that the scenario promises without runs on real threads.
    private static func isProof(_ evidence: Evidence, _ scenario: any Runnable) -> Bool {
        let states = scenario.soughtStates
        return evidence.runtime == .controlled && evidence.isProof
            && evidence.seenStates.allSatisfy(states.indices.contains)
            && Judgement.mismatches([evidence], scenario.expectation, states: states).isEmpty
    }

    // MARK: - The file

    private func path(_ key: [UInt8]) -> String { "\(folder)/\(FNV1a.word(key)).proof" }

    /// The beginning of a file; the evidence and a checksum follow.
    private static func head(_ key: [UInt8]) -> [UInt8] { Array("\(firstLine)\(key.count)\n".utf8) + key }

    /// Everything that the proof depends on. Each part begins with its length, so that different parts never make the
    /// same key. Nil: some of it is not known.
    private func key(_ scenario: any Runnable, _ name: String?, _ source: [UInt8]?) -> [UInt8]? {
        var parts = [
            // A proof by another version of the engine is not used, because that version may have had a mistake.
            "version \(Session.version)", "engine \(EngineDigest.word)", "seed \(plan.seed)",
            "executions \(plan.executions)", "free time \(scenario.hasFreeTime)", "model \(scenario.model.rawValue)",
            // The rules that the search tries with several values, and which of the scenario's claims are checked.
            "spurious \(plan.spurious.map(String.init) ?? "open")", "model given \(plan.isModelGiven)",
            "general \(scenario.isAboutRealThreads)", name ?? scenario.name,
        ]
        parts += scenario.arguments.map { "\($0.name)=\($0.value)" }
        // Code that the source text does not contain: a compiled program's, or that of scenarios in this executable.
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
        // If they are unknown, a random number ensures that no saved proof is used.
        guard stat("/proc/self/exe", &status) == 0 else { return "program \(UInt64.random(in: 0 ... .max))" }
        return "program \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let hash = FNV1a.hash(bytes)
        return (0..<checksumSize).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
    }
}
