import Authoring
import Glibc
import Supervision
import Text
import Trace

/// A folder in which traces are saved. It is checked as far as possible before anything runs.
struct TraceFolder {
    private let path: String

    /// - Parameter path: the path that the user gave. The folder is created if it does not exist.
    init(_ path: String) throws(Complaint) {
        self.path = path
        try Self.make(path, for: "traces")
    }

    /// Creates a folder if it does not exist, and makes sure that files can be created in it.
    ///
    /// - Parameter content: what it is for, for messages.
    static func make(_ path: String, for content: String) throws(Complaint) {
        func refuse(_ reason: String) -> Complaint {
            Complaint("cannot save \(content) in '\(path.printable)': \(reason)", .failure)
        }
        var status = stat()
        if stat(path, &status) != 0 {
            guard mkdir(path, 0o755) == 0 else { throw refuse(String(cString: strerror(errno))) }
        } else if status.st_mode & S_IFMT != S_IFDIR {
            throw refuse("it is not a directory")
        }
        guard access(path, W_OK | X_OK) == 0 else { throw refuse(String(cString: strerror(errno))) }
    }

    /// Saves each trace under the scenario's name, its outcome and a number: `deadlock-deadlock-1.trace`.
    func save(_ findings: [ExplainedFinding], of scenario: any Runnable) throws(Complaint) {
        let file = scenario.name.split(separator: "/").last.map(String.init) ?? scenario.name
        let name = file.hasSuffix(".lab") ? String(file.dropLast(4)) : file
        for (index, finding) in findings.enumerated() {
            let kind = finding.finding.kind.rawValue
            try TraceDestination("\(path)/\(name)-\(kind)-\(index + 1).trace").save(finding.trace)
        }
    }

    /// Saves the content of a trace's file.
    ///
    /// - Returns: the path of its file.
    func save(_ content: [UInt8], as name: String) throws(Complaint) -> String {
        let file = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
        try NewFile(at: file, for: "the trace", orElse: "remove it").write { $0.write(content) }
        return file
    }
}
