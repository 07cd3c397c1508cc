import Console
import Glibc
import LabEditing
import LabSyntax
import Text
import Trace

/// A text that is open in the editor.
struct OpenDocument {
    let uri: String
    let program: EditedProgram
    let positions: TextPositions
    /// The result of the last check. Nil: there was none, or the text has changed since.
    var verdict: CheckVerdict?

    init(uri: String, _ text: String, _ encoding: TextPositions.Encoding) {
        self.uri = uri
        let bytes = Array(text.utf8)
        program = EditedProgram(SourceText(name: Self.path(of: uri) ?? uri, bytes))
        positions = TextPositions(bytes, encoding)
    }

    /// The path of the file. Nil: the URI is not of a file on this machine.
    var path: String? { Self.path(of: uri) }

    /// The path in a URI such as `file:///tmp/a%20b.lab`.
    private static func path(of uri: String) -> String? {
        let scheme = "file://"
        guard uri.hasPrefix(scheme) else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(uri.utf8.dropFirst(scheme.utf8.count))[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let path = String(validating: bytes, as: UTF8.self), path.isAbsolutePath, !bytes.contains(0) else {
            return nil
        }
        return path
    }
}

/// The result of `threadlab check` for a file.
struct CheckVerdict {
    /// The result in a few words, for the line above the program.
    let title: String
    /// The unexpected results, each with its line.
    let findings: [(line: Int?, message: String)]

    /// - Parameter json: the output of `check --format json` for one file. The result is nil if it is anything else.
    init?(_ json: [UInt8]) {
        guard let report = try? JSONReader.read(json, json.indices), let result = report["scenarios"]?.elements.first,
            let verdict = result["verdict"]?.text
        else { return nil }
        let isProved = result["controlled"]?["proof"]?.isTrue == true
        let failures = result["failures"]?.elements ?? []
        let words = failures.compactMap { $0["outcome"]?.text ?? $0["message"]?.text }
        title =
            verdict == "passed"
            ? (isProved ? "passed, proved" : "passed") : ([verdict] + words.prefix(1)).joined(separator: ": ")
        findings = failures.map { failure in
            let lines =
                [failure["message"]?.text, failure["summary"]?.text].compactMap { $0 }
                + (failure["details"]?.elements.compactMap(\.text) ?? [])
            return (failure["line"]?.number, lines.joined(separator: "\n"))
        }
    }
}
