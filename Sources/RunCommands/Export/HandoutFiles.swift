import Console
import Glibc
import Reports
import Text

/// The files of a handout: one PDF of two pages, the task and its solution, or two SVG drawings. Their paths are
/// checked before anything runs.
struct HandoutFiles {
    private var drawings: [(side: Handout.Side, file: NewFile)] = []
    private var pages: NewFile?

    private static let converter = OutsideProgram(
        name: "rsvg-convert", package: "librsvg2-bin", need: "a PDF needs rsvg-convert",
        instead: "name a .svg file and print the drawings from a browser")

    /// - Parameter path: ends in `.pdf` or `.svg`. With `.svg`, the solution is a second file.
    init(_ path: String) throws(Complaint) {
        let file = try NewFile(at: path, for: "the sheet", orElse: "choose a name in a folder of yours")
        guard path.hasSuffix(".svg") else {
            pages = file
            return
        }
        // The user has not typed the second name, so a link that has it is replaced, not followed.
        drawings = [(.task, file), (.solution, try NewFile(replacing: Self.solution(path), for: "the solution"))]
    }

    /// The path of the solution: `sheet-solution.svg` for `sheet.svg`.
    private static func solution(_ path: String) -> String {
        let end = path.hasSuffix(".svg") ? path.index(path.endIndex, offsetBy: -".svg".count) : path.endIndex
        return path[..<end] + "-solution" + path[end...]
    }

    /// The files' names, for a sentence.
    var names: String {
        (drawings.map(\.file) + [pages].compactMap(\.self)).map { $0.path.printable }.joined(separator: ", ")
    }

    func write(_ handout: Handout) throws(Complaint) {
        for (side, file) in drawings { try file.write { handout.write(side, to: &$0) } }
        if let pages { try Self.write(handout, asPagesOf: pages) }
    }

    private static func write(_ handout: Handout, asPagesOf pdf: NewFile) throws(Complaint) {
        let sides = Array(Handout.Side.allCases)
        try converter.make(
            pdf, ["--format", "pdf"] + sides.indices.map { OutsideProgram.path(ofInput: $0) },
            of: sides.map { side in { handout.write(side, to: &$0) } })
    }
}
