import Trace

/// A line of source, preceded by its place.
struct SourceLine {
    let place: Label
    let text: Label

    /// The lines of these places, as far as they are available.
    static func all(at sites: [SiteID], in trace: TraceDocument, _ options: ReportOptions) -> [SourceLine] {
        guard let source = options.source else { return [] }
        return sites.compactMap { id in
            guard let site = trace.site(id), let text = source(site) else { return nil }
            return SourceLine(
                place: Label(site.shortDescription, ascii: options.ascii), text: Label(text, ascii: options.ascii))
        }
    }
}
