import Trace

/// A finding in a run: what happened, how it happened, and how to fix it.
package struct Finding: Equatable, Sendable {
    package var code: FindingCode
    /// The outcome of a run in which this is the most severe finding. Nil if it does not decide how a run ended.
    package var outcome: OutcomeKind?
    package var severity: Severity
    /// One sentence: what happened.
    package var summary: String
    /// How it happened, one line each: threads, objects, source lines. At most twelve lines.
    package var story: [String]
    /// How to fix this particular case. Nil if the usual remedies of its code apply (`Explanation`).
    package var advice: String?
    package var threads: [ThreadID]
    package var objects: [ObjectID]
    /// The source places, in the order of the story.
    package var sites: [SiteID]
    /// The place of the mistake, if it is not the first of `sites`.
    private var ownFault: SiteID
    /// The numbers, from 1, of the events that reports mark: those of the first lines of the story. Empty if reports
    /// mark none.
    package var events: [Int]

    /// The place of the mistake, as far as events show it, for formats that have room for one line: not where the story
    /// begins, which may be where the main thread waits for the others. Nil: no line is known.
    package var fault: SiteID? { ownFault == .unknown ? sites.first : ownFault }

    package static let longestStory = 12

    /// - Parameters:
    ///   - severity: the severity, if it differs from that of the code.
    ///   - story: the lines of the story; if there are more than twelve, the first eleven are kept, and 'And so on.'
    ///     follows.
    ///   - fault: the place of the mistake, if it is known and not the first of `sites`.
    init(
        _ code: FindingCode, _ severity: Severity? = nil, summary: String, story: [String] = [], advice: String? = nil,
        threads: [ThreadID] = [], objects: [ObjectID] = [], sites: [SiteID] = [], fault: SiteID = .unknown,
        events: [Int] = []
    ) {
        self.code = code
        outcome = code.outcome
        self.severity = severity ?? code.severity
        self.summary = summary
        let isWhole = story.count <= Self.longestStory
        self.story = isWhole ? story : story.prefix(Self.longestStory - 1) + ["And so on."]
        self.advice = advice
        self.threads = Self.distinct(threads)
        self.objects = Self.distinct(objects.filter { $0 != .none })
        self.sites = Self.distinct(sites.filter { $0 != .unknown })
        ownFault = fault
        self.events = events
    }

    /// The finding that decided the outcome; nil if none did. Several findings can have the outcome's kind, because a
    /// run can break several claims; their summaries distinguish them.
    package static func deciding(_ outcome: Outcome?, among findings: [Finding]) -> Finding? {
        let candidates = findings.filter { $0.outcome == outcome?.kind && $0.outcome != nil }
        return candidates.first { $0.summary == outcome?.summary } ?? candidates.first
    }

    /// Merges another finding about the same problem into this one.
    mutating func add(_ other: Finding) {
        self = Finding(
            code, severity, summary: summary, story: story + other.story, advice: advice ?? other.advice,
            threads: threads + other.threads, objects: objects + other.objects, sites: sites + other.sites,
            fault: fault ?? .unknown, events: events)
    }

    private static func distinct<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return elements.filter { seen.insert($0).inserted }
    }
}
