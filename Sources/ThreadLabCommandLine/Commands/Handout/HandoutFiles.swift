import Glibc
import Reports
import Text

/// Where a handout is written. Its places are checked before anything runs.
struct HandoutFiles {
    private var drawings: [(side: Handout.Side, file: NewFile)] = []
    private var pages: NewFile?

    private static let converter = OutsideProgram(
        name: "rsvg-convert", package: "librsvg2-bin", need: "a PDF needs rsvg-convert",
        instead: "give --svg and print the drawings from a browser")

    init(svg: String?, pdf: String?) throws(Complaint) {
        guard svg != nil || pdf != nil else {
            throw Complaint("a handout is a file: give its name with --pdf or --svg, such as --pdf sheet.pdf")
        }
        if let svg {
            for side in Handout.Side.allCases {
                let path = side == .task ? svg : Self.solution(svg)
                drawings.append(
                    (side, try NewFile(at: path, for: "the sheet", orElse: "choose a name in a folder of yours")))
            }
        }
        if let pdf { pages = try NewFile(at: pdf, for: "the sheet", orElse: "choose a name in a folder of yours") }
        if let pages, drawings.contains(where: { $0.file.path == pages.path }) {
            throw Complaint("--svg and --pdf name the same file")
        }
    }

    /// `sheet-solution.svg` of `sheet.svg`.
    private static func solution(_ path: String) -> String {
        let end = path.hasSuffix(".svg") ? path.index(path.endIndex, offsetBy: -4) : path.endIndex
        return path[..<end] + "-solution" + path[end...]
    }

    /// In a sentence.
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
