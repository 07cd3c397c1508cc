import Diagnosis
import Trace

/// A line below a finding: a place in the source with its text, with the function that contains it, or with the object
/// that was made there; or a thread with its step.
struct SourceLine {
    let place: Label
    let text: Label
    /// The number of columns that the text gets even if it exceeds the report's width. Names of functions get many,
    /// because a part of a name is of little use.
    var leastWidth = 1

    /// The lines for a finding: its places with their text, if that is available, each with the calls that led there;
    /// and the places where its objects were made.
    static func all(of finding: Finding, in trace: TraceDocument, _ options: ReportOptions) -> [SourceLine] {
        lines(of: finding.sites, in: trace, options) + origins(of: finding.objects, in: trace, options)
    }

    private static func lines(of sites: [SiteID], in trace: TraceDocument, _ options: ReportOptions) -> [SourceLine] {
        guard let source = options.source else { return [] }
        return sites.flatMap { id -> [SourceLine] in
            guard let site = trace.site(id) else { return [] }
            let line = source(site).map { SourceLine(place(of: site, options), $0, options) }
            guard site.calls.count > 1 else { return [line].compactMap(\.self) }
            // Without the line's text, the calls begin with the place itself.
            let calls = calls(of: site, isBelowLine: line != nil, options)
            return step(at: id, in: trace, options) + [line].compactMap(\.self) + calls
        }
    }

    /// A line that names the thread which reached the place, and its step there, if all its steps there are the same.
    /// The calls that led to the place follow.
    private static func step(at site: SiteID, in trace: TraceDocument, _ options: ReportOptions) -> [SourceLine] {
        let words = EventWords(trace, ascii: options.ascii)
        let events = trace.events.filter { $0.site == site }
        // If several threads have reached the place, it is unknown which one is meant.
        guard let event = events.last, events.allSatisfy({ $0.thread == event.thread }) else { return [] }
        let step = words.step(event)
        let isOne = events.allSatisfy { words.step($0) == step }
        return [SourceLine("\(words.name(event.thread)):", isOne ? step : "", options)]
    }

    /// The calls that led to the place: the function that contains the line, and its callers.
    private static func calls(
        of site: TraceDocument.Site, isBelowLine: Bool, _ options: ReportOptions
    ) -> [SourceLine] {
        let arrow = options.ascii ? "<- " : "← "
        return site.calls.enumerated().map { index, call in
            // The first call is the function that contains the line, so its place is the line's own.
            let caller = TraceDocument.Site(file: call.file, line: call.line)
            var line = SourceLine(
                "  " + (index == 0 && isBelowLine ? "in" : (index == 0 ? "" : arrow) + place(of: caller, options)),
                call.function,
                options)
            line.leastWidth = Self.mostOfFunction
            return line
        }
    }

    private static let mostOfFunction = 100

    /// The places where objects without a name in the program were made.
    private static func origins(of objects: [ObjectID], in trace: TraceDocument, _ options: ReportOptions)
        -> [SourceLine]
    {
        objects.compactMap { id in
            guard let object = trace.object(id), let origin = object.origin else { return nil }
            let made = "makes \(object.name)"
            return SourceLine(place(of: .init(file: origin.file, line: origin.line), options), made, options)
        }
    }

    private static func place(of site: TraceDocument.Site, _ options: ReportOptions) -> String {
        options.path?(site).map { "\($0):\(site.line)" } ?? site.shortDescription
    }

    private init(_ place: String, _ text: String, _ options: ReportOptions) {
        self.place = Label(place, ascii: options.ascii)
        self.text = Label(text, ascii: options.ascii)
    }
}
