import Glibc
import Text
import Trace

/// A graph in a file, in Graphviz's language or, if its name ends in `.svg`, drawn by Graphviz.
struct GraphvizFile {
    private let file: NewFile
    private let isDrawn: Bool

    /// - Parameter option: the option that names the file, for messages.
    init(_ path: String, option: String) throws(Complaint) {
        guard path.hasSuffix(".svg") || path.hasSuffix(".dot") || path.hasSuffix(".gv") else {
            throw Complaint("\(option) writes a .dot or .svg file, and '\(path.printable)' is neither")
        }
        try self.init(path, isDrawn: path.hasSuffix(".svg"))
    }

    init(_ path: String, isDrawn: Bool) throws(Complaint) {
        self.isDrawn = isDrawn
        file = try NewFile(at: path, for: "the graph", orElse: "choose a name in a folder of yours")
    }

    /// - Parameter body: writes the graph in Graphviz's language.
    func write(_ body: (inout ByteSink) -> Void) throws(Complaint) {
        let text = isDrawn ? NewFile(path: "\(file.path).\(getpid()).dot") : file
        try text.write(body)
        if isDrawn {
            defer { unlink(text.path) }
            try draw(text.path)
        }
    }

    /// - Parameter text: the path of the graph in Graphviz's language.
    private func draw(_ text: String) throws(Complaint) {
        let drawing = "\(file.path).\(getpid()).svg"
        let words = ["dot", "-Tsvg", "-o", drawing, text]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, "dot", nil, nil, &arguments, environ) == 0 else {
            throw Complaint(
                "a drawing needs Graphviz, and there is no program 'dot': install the package graphviz, or write a "
                    + ".dot file", .failure)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else {
            unlink(drawing)
            throw Complaint("Graphviz could not draw the graph: 'dot' ended with status \(status)", .failure)
        }
        guard rename(drawing, file.path) == 0 else {
            let failure = errno
            unlink(drawing)
            throw file.complaint(failure)
        }
    }
}
