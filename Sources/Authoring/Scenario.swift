import Machine
import Primitives
import Trace

/// A small concurrent program that shows one idea, in broken and fixed variants.
///
/// Write it with the primitives, like a program with ordinary threads, independently of the runtime. This is a scenario
/// whose only parameter is its variant:
/// ```swift
/// struct LostUpdate: Scenario {
///     static let name = "lost-update"
///     static let summary = "Two threads each add one to a counter."
///     static let lesson = "`count = count + 1` is a read and a write, and another thread may come between them."
///     static let guide: Guide? = .synchronization("Using Atomic Operations")
///     static let source = #filePath
///
///     enum Variant: String, ScenarioVariant {
///         case plain, locked
///         var summary: String { … }
///         var expectation: Expectation { self == .plain ? .may(.assertion) : .completes }
///     }
///     @Parameter("how the counter is protected") var variant = Variant.plain
///
///     func run() throws { … }
/// }
/// ```
public protocol Scenario: Sendable {
    associatedtype Variant: ScenarioVariant

    /// The name on the command line: lowercase words with hyphens.
    static var name: String { get }
    /// One sentence: what the program does.
    static var summary: String { get }
    /// One or two paragraphs: what the scenario shows, and why.
    static var lesson: String { get }
    /// The section of a book that the scenario follows. By default none.
    static var guide: Guide? { get }
    /// The file in which it is written: `#filePath`. Threadlab contains the texts of its own scenarios, so they use
    /// `#fileID`, which is the same on every machine.
    static var source: String { get }

    /// Why the program can only run on real threads, as the end of a sentence: "because …". Nil, the default: the
    /// scheduler can run it too.
    static var realThreadsOnly: String? { get }

    /// The variant of the program to run. Declare it with `@Parameter`; its first value is the default.
    var variant: Variant { get }

    /// How a run with the current parameters may end. By default, the variant's expectation.
    var expectation: Expectation { get }

    /// The maximum duration of a run with the current parameters if no thread waits for a processor: usually, the sum
    /// of its sleeps. It is added to the default time limit. By default it is zero, for programs that take a negligible
    /// time.
    var expectedDuration: Duration { get }
    /// The maximum number of steps of a run with the current parameters. It is added to the default limit of steps. By
    /// default it is zero, for programs of some thousand steps.
    var expectedSteps: Int { get }

    init()

    /// The body of the main thread. When it returns, the process exits, and other threads with it.
    func run() throws

    /// Examines what the process left behind after it ended. Reports an error by throwing, as `check` does. By default
    /// it does nothing.
    func review(_ remains: Remains) throws
}

extension Scenario {
    public static var guide: Guide? { nil }
    public static var realThreadsOnly: String? { nil }
    public var expectation: Expectation { variant.expectation }
    public var expectedDuration: Duration { .zero }
    public var expectedSteps: Int { 0 }

    public func review(_ remains: Remains) throws {}
}

/// The variants of a scenario, each with its expectation.
public protocol ScenarioVariant: ParameterChoice {
    /// How a run of this variant may end.
    var expectation: Expectation { get }
    /// The parameters that have no effect on this variant. Reports of its runs do not show them.
    var unusedParameters: Set<String> { get }
    /// The section that this variant follows, if it differs from the scenario's.
    var guide: Guide? { get }
    /// Whether it measures a duration or memory, rather than showing a fault or how to avoid it.
    var measures: Bool { get }
    /// Whether its failure needs an order of steps that is rare on real threads, so that only a search reliably shows
    /// it.
    var isRareOnRealThreads: Bool { get }
}

extension ScenarioVariant {
    public var unusedParameters: Set<String> { [] }
    public var guide: Guide? { nil }
    public var measures: Bool { false }
    public var isRareOnRealThreads: Bool { false }
}

/// A configured scenario that can be run.
package struct ScenarioProgram: Runnable {
    package let scenario: any Scenario
    package private(set) var model = MemoryModel.sc

    package let carried: TraceHeader.Program?

    /// - Parameter build: identifies the version of its code in saved traces. Nil: unknown.
    package init(_ scenario: any Scenario, _ build: TraceHeader.Build? = nil) {
        self.scenario = scenario
        carried = build.map { .compiled($0) }
    }

    package func under(_ model: MemoryModel, alone: Bool) throws -> any Runnable {
        var copy = self
        copy.model = model
        return copy
    }

    package var name: String { type(of: scenario).name }
    package var label: String { arguments.first { $0.name == "variant" }?.value ?? name }
    package var parameters: [ParameterDescription] { type(of: scenario).parameters }
    package var arguments: [(name: String, value: String)] {
        let unused = scenario.variant.unusedParameters
        return scenario.arguments.filter { !unused.contains($0.name) }
    }
    package var guide: String? { (scenario.variant.guide ?? type(of: scenario).guide)?.description }
    package var realThreadsOnly: String? { type(of: scenario).realThreadsOnly }
    package var expectation: Expectation { scenario.expectation }
    package var expectedDuration: Duration { scenario.expectedDuration }
    package var expectedSteps: Int { scenario.expectedSteps }
    /// The file from which it was compiled.
    package var source: String { type(of: scenario).source }
    /// Scenarios that come with threadlab have no state outside of their executions (`RunsInOneProcessTests` compares
    /// them). A program that contains them can have no other module of that name.
    package var leavesNothing: Bool { String(reflecting: type(of: scenario)).hasPrefix("Scenarios.") }
    package func run() throws { try scenario.run() }
    package func review(_ remains: Remains) throws { try scenario.review(remains) }
}

/// The section of a book that a scenario or a variant follows, usually of the Threading Programming Guide.
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

    /// The part of a course to which it belongs: a chapter of the Threading Programming Guide, or the title of another
    /// book.
    package var part: String { book == .threadingProgrammingGuide ? chapter : book.title }

    /// For example `Synchronization, "Watch Out for Deadlocks and Livelocks"`. For other books, the title comes first.
    public var description: String {
        let place = "\(chapter), \"\(section)\""
        return book == .threadingProgrammingGuide ? place : "\(book.title), \(place)"
    }
}

/// A book, an article or a manual that scenarios follow.
public struct Book: Equatable, Sendable {
    public let title: String
    public let author: String
    /// The year, date or number of the edition. Empty if there is only one.
    public let edition: String
    /// The web address. Empty if there is none.
    public let link: String

    public init(_ title: String, author: String, edition: String = "", link: String = "") {
        self.title = title
        self.author = author
        self.edition = edition
        self.link = link
    }

    /// Apple's guide, which the built-in scenarios and the explanations of findings follow.
    public static let threadingProgrammingGuide = Book(
        "Threading Programming Guide", author: "Apple", edition: "2014-07-15",
        link: "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Multithreading/")

    /// The article on the design of classes that several threads use.
    public static let threadSafeClassDesign = Book(
        "Thread-Safe Class Design", author: "Peter Steinberger", edition: "objc.io issue 2",
        link: "https://www.objc.io/issues/2-concurrency/thread-safe-class-design/")

    /// For example `Threading Programming Guide (Apple, 2014-07-15), https://…`.
    package var reference: String {
        let maker = edition.isEmpty ? author : "\(author), \(edition)"
        return "\(title) (\(maker))" + (link.isEmpty ? "" : ", " + link)
    }
}
