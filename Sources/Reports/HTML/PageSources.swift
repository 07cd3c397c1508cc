import Trace

/// The files of a program, and the places in them: the whole text of a file that is known, and otherwise the lines that
/// the run reached.
struct PageSources {
    private struct File {
        var name: String
        var lines: [(number: Int, text: String)]
    }

    private var files: [File] = []
    /// A file and a line for each site.
    private var sites: [(file: Int, line: Int)?] = []

    init(_ trace: TraceDocument, files known: [PageFile], _ options: ReportOptions) {
        var numbers: [String: Int] = [:]
        for site in trace.sites {
            guard let site else {
                sites.append(nil)
                continue
            }
            if numbers[site.file] == nil {
                numbers[site.file] = files.count
                files.append(Self.file(site, known))
            }
            sites.append((numbers[site.file] ?? 0, site.line))
        }
        addLines(trace, Set(known.map(\.name)), options)
    }

    private static func file(_ site: TraceDocument.Site, _ known: [PageFile]) -> File {
        let name = site.file.split(separator: "/").last ?? ""
        let text = known.first { $0.name == site.file }?.text ?? ""
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return File(
            name: Label(String(name)).text, lines: lines.enumerated().map { ($0.offset + 1, Self.safe($0.element)) })
    }

    /// Tabs are four columns, as in most editors.
    private static func safe(_ line: Substring) -> String { Label(String(line.replacing("\t", with: "    "))).text }

    private mutating func addLines(_ trace: TraceDocument, _ known: Set<String>, _ options: ReportOptions) {
        guard let source = options.source else { return }
        for (number, site) in trace.sites.enumerated() {
            guard let site, !known.contains(site.file), let text = source(site), let place = sites[number] else {
                continue
            }
            guard !files[place.file].lines.contains(where: { $0.number == site.line }) else { continue }
            files[place.file].lines.append((site.line, Label(text).text))
        }
        for file in files.indices { files[file].lines.sort { $0.number < $1.number } }
    }

    func write(to json: inout JSONObject) {
        json.objects("files", files) { file, json in
            json.member("name", file.name)
            json.array("lines") { json in
                for line in file.lines {
                    json.array { json in
                        json.element(line.number)
                        json.element(line.text)
                    }
                }
            }
        }
        json.array("sites") { json in
            for site in sites {
                if let site { json.array([site.file, site.line]) } else { json.element(JSONText.null) }
            }
        }
    }
}
