/// A section of a book that a scenario or a variant follows: by default, of the Threading Programming Guide.
public struct Guide: Equatable, Sendable {
    public let book: Book
    public let chapter: String
    public let section: String

    public init(_ book: Book, chapter: String, section: String) {
        self.book = book
        self.chapter = chapter
        self.section = section
    }

    public static func basics(_ section: String) -> Guide { usual("About Threaded Programming", section) }
    public static func threads(_ section: String) -> Guide { usual("Thread Management", section) }
    public static func runLoops(_ section: String) -> Guide { usual("Run Loops", section) }
    public static func synchronization(_ section: String) -> Guide { usual("Synchronization", section) }

    /// A section of the article Thread-Safe Class Design.
    public static func classDesign(_ chapter: String, _ section: String) -> Guide {
        Guide(.threadSafeClassDesign, chapter: chapter, section: section)
    }

    private static func usual(_ chapter: String, _ section: String) -> Guide {
        Guide(.threadingProgrammingGuide, chapter: chapter, section: section)
    }

    /// The part of a course to which it belongs: a chapter of the Threading Programming Guide, or another book's title.
    package var part: String { book == .threadingProgrammingGuide ? chapter : book.title }

    /// `Synchronization, "Watch Out for Deadlocks and Livelocks"`. Of another book, with its title before it.
    public var description: String {
        let place = "\(chapter), \"\(section)\""
        return book == .threadingProgrammingGuide ? place : "\(book.title), \(place)"
    }
}
