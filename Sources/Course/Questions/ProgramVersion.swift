import Authoring
import LabExecution
import LabProgram
import LabSyntax

/// A program's text with some of it taken away or added. Every line keeps its number.
struct ProgramVersion {
    private let source: SourceText
    private var bytes: [UInt8]

    /// - Parameter name: what reports call the program.
    init(_ text: String, name: String) {
        source = SourceText(name: name, text)
        bytes = source.bytes
    }

    /// Takes away what the program claims of its runs, and what its main thread checks at their end.
    mutating func removeClaims(keepingFinally: Bool = false) {
        for item in source.syntax().file?.items ?? [] {
            switch item {
            case .expect(let claim): blank(from: source.start(ofWordBefore: claim.span), to: claim.span.end)
            case .finally(let block, let word) where !keepingFinally: blank(from: word.start, to: block.span.end)
            case .finally, .parameter, .objects, .function, .thread, .run: break
            }
        }
    }

    mutating func add(_ lines: [String]) { bytes += Array("\n\(lines.joined(separator: "\n"))\n".utf8) }

    /// Puts a statement before what stands in a line.
    mutating func insert(_ statement: String, before text: String) -> Bool {
        let whole = String(decoding: bytes, as: UTF8.self)
        guard let place = whole.firstRange(of: text), whole[place.upperBound...].firstRange(of: text) == nil else {
            return false
        }
        bytes = Array((whole[..<place.lowerBound] + statement + "; " + whole[place.lowerBound...]).utf8)
        return true
    }

    /// The program, with its parameters' defaults.
    func runnable() throws(VersionProblem) -> any Runnable {
        let text = SourceText(name: source.name, bytes)
        let reading = text.read()
        guard let program = reading.program, let runnable = try? LabFile(program, scenarios: []).configured([]) else {
            let errors = reading.diagnostics.filter { $0.severity == .error }
            throw VersionProblem(message: errors.first?.message ?? "the program cannot be configured")
        }
        guard runnable.hasStates else { throw VersionProblem(message: "it runs a scenario of Swift, which has no states") }
        return runnable
    }

    private mutating func blank(from start: Int, to end: Int) {
        for place in start..<end where bytes[place] != UInt8(ascii: "\n") { bytes[place] = UInt8(ascii: " ") }
    }
}

/// Why a version of a program cannot be run.
struct VersionProblem: Error {
    let message: String
}
