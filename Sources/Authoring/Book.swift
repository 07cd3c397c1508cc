/// A book, an article or a manual that scenarios follow.
public struct Book: Equatable, Sendable {
    public let title: String
    public let author: String
    /// A year, a date or a number. Empty if there is only one.
    public let edition: String
    /// Where to read it. Empty if that is not on the web.
    public let link: String

    public init(_ title: String, author: String, edition: String = "", link: String = "") {
        self.title = title
        self.author = author
        self.edition = edition
        self.link = link
    }

    /// The guide that the built-in scenarios and the explanations of findings follow.
    public static let threadingProgrammingGuide = Book(
        "Threading Programming Guide", author: "Apple", edition: "2014-07-15",
        link: "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Multithreading/")

    /// The article on thread-safe class design that built-in scenarios follow.
    public static let threadSafeClassDesign = Book(
        "Thread-Safe Class Design", author: "Peter Steinberger", edition: "objc.io issue 2",
        link: "https://www.objc.io/issues/2-concurrency/thread-safe-class-design/")

    /// `Threading Programming Guide (Apple, 2014-07-15), https://…`
    package var reference: String {
        let maker = edition.isEmpty ? author : "\(author), \(edition)"
        return "\(title) (\(maker))" + (link.isEmpty ? "" : ", " + link)
    }
}
