/// A section of the threading guide that scenarios follow.
public struct Guide: Equatable, Sendable {
    public let chapter: String
    public let section: String

    public static func threads(_ section: String) -> Guide { Guide(chapter: "Thread Management", section: section) }
    public static func runLoops(_ section: String) -> Guide { Guide(chapter: "Run Loops", section: section) }
    public static func synchronization(_ section: String) -> Guide {
        Guide(chapter: "Synchronization", section: section)
    }

    /// `Synchronization, "Watch Out for Deadlocks and Livelocks"`
    public var description: String { "\(chapter), \"\(section)\"" }
}
