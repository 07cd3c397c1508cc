import Glibc
import LabSyntax
import Text
import Trace

/// The program of a saved trace, compared with the program that has its name on this machine now.
package struct SavedProgram {
    private let saved: TraceHeader
    private let session: Session

    package init(_ saved: TraceHeader, _ session: Session) {
        self.saved = saved
        self.session = session
    }

    /// How the program that has the name now differs from the trace's, as a sentence without its full stop. Nil: it
    /// does not differ as far as is known, or there is no such program.
    package var change: String? {
        let name = saved.scenario
        switch saved.program {
        case .text(let text)?:
            guard session.files.taskPath == nil, session.files.names(name), let now = session.files.text(name),
                let line = Self.firstDifference(Array(text.utf8), now.bytes)
            else { return nil }
            return "\(name) has changed since the trace was saved, first at line \(line): "
                + "what is replayed is the trace's own copy"
        case .compiled(let build)? where session.compiled.names(name):
            return session.compiled.change(of: name, since: build)
        case .compiled(let build)?:
            guard let type = NamedScenario(name, among: session.scenarios)?.type else { return nil }
            let now = session.build(of: type)
            if build.version != now.version {
                return "the trace is of version \(build.version) of threadlab, and this is version \(now.version)"
            }
            guard let then = build.digest, let digest = now.digest, then != digest else { return nil }
            return "the source of \(name) has changed since the trace was saved"
        case nil: return nil
        }
    }

    /// Whether the trace contains the program's text, and no program here has the same name and text. Then only the
    /// trace repeats the run. False if files are judged against a task.
    package var isOnlyInTrace: Bool {
        guard case .text(let text)? = saved.program, session.files.taskPath == nil else { return false }
        guard session.files.names(saved.scenario), let now = session.files.text(saved.scenario) else { return true }
        return now.bytes != Array(text.utf8)
    }

    /// The complaint about a trace whose program was not found, with the reason added if one is known.
    ///
    /// - Parameter error: the complaint about the name.
    package func complaint(_ error: Complaint) -> Complaint {
        let name = saved.scenario
        switch saved.program {
        case .text?: return error
        case .compiled(let build)?:
            guard build.package != session.program else { return error }
            return Complaint("\(error.message); the trace is of \(build.package.printable)", error.code)
        case nil:
            guard LabFiles.isLabFile(name), access(name, F_OK) != 0 else { return error }
            return Complaint(
                "there is no \(name.printable) here, and the trace, of an earlier version of threadlab, does not carry it: "
                    + "replay it in the folder in which it was run; '\(session.program) trace' prints it anywhere",
                error.code)
        }
    }

    /// The number of the first line that differs. Nil: none differs.
    private static func firstDifference(_ one: [UInt8], _ other: [UInt8]) -> Int? {
        if one == other { return nil }
        let common = zip(one, other).prefix { $0 == $1 }.count
        return one.prefix(common).count { $0 == UInt8(ascii: "\n") } + 1
    }
}
