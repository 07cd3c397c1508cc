import Trace

/// One thing that was found in a run: what happened, the story of it, and what would fix it.
package struct Finding: Equatable, Sendable {
    package var code: FindingCode
    package var severity: Severity
    /// One sentence: what happened.
    package var summary: String
    /// What led to it, a line each: threads, objects, source lines. At most twelve.
    package var story: [String]
    /// What would fix this very case. Nil: what usually fixes it.
    package var advice: String?
    package var threads: [ThreadID]
    package var objects: [ObjectID]
    /// In the order of the story.
    package var sites: [SiteID]

    package static let longestStory = 12

    /// - Parameters:
    ///   - severity: if it is not the usual one of the code.
    ///   - story: what is beyond twelve lines is only counted.
    init(
        _ code: FindingCode, _ severity: Severity? = nil, summary: String, story: [String] = [], advice: String? = nil,
        threads: [ThreadID] = [], objects: [ObjectID] = [], sites: [SiteID] = []
    ) {
        self.code = code
        self.severity = severity ?? code.severity
        self.summary = summary
        let isWhole = story.count <= Self.longestStory
        self.story = isWhole ? story : story.prefix(Self.longestStory - 1) + ["And so on."]
        self.advice = advice
        self.threads = Self.distinct(threads)
        self.objects = Self.distinct(objects.filter { $0 != .none })
        self.sites = Self.distinct(sites.filter { $0 != .unknown })
    }

    /// Adds what another finding knows of the same thing.
    mutating func add(_ other: Finding) {
        self = Finding(
            code, severity, summary: summary, story: story + other.story, advice: advice ?? other.advice,
            threads: threads + other.threads, objects: objects + other.objects, sites: sites + other.sites)
    }

    private static func distinct<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return elements.filter { seen.insert($0).inserted }
    }
}
