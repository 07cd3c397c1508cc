import Trace

/// The source locations in the rows of a report: the line's number, with the file if there are several, or the line
/// itself.
struct RowPlaces {
    private let labels: [Label]
    let width: Int

    init(_ trace: TraceDocument, _ excerpt: RowExcerpt, _ options: ReportOptions) {
        self.init(trace, Set(excerpt.events.map { trace.events[$0].site }), options)
    }

    /// - Parameter sites: those in the rows.
    init(_ trace: TraceDocument, _ sites: Set<SiteID>, _ options: ReportOptions) {
        let files = Set(sites.compactMap { trace.site($0)?.file })
        let labels = trace.sites.map { site -> Label in
            guard let site else { return .empty }
            let number = files.count == 1 ? ":\(site.line)" : site.shortDescription
            guard options.showsCode, let code = options.source?(site) else {
                return Label(number, ascii: options.ascii)
            }
            return Label("\(number)  \(code)", ascii: options.ascii)
        }
        self.labels = labels
        width = sites.reduce(0) { max($0, labels.indices.contains(Int($1.index)) ? labels[Int($1.index)].width : 0) }
    }

    subscript(_ site: SiteID) -> Label {
        labels.indices.contains(Int(site.index)) ? labels[Int(site.index)] : .empty
    }
}
