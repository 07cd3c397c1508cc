import Primitives
import Trace

/// A small concurrent program that shows one idea, in variants that are broken or fixed.
///
/// Write it with the primitives as with ordinary threads, independently of the runtime. A scenario with no parameter
/// but its variant:
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
    /// The section of a book that it follows. By default, none.
    static var guide: Guide? { get }
    /// The file that it is written in: `#filePath`. A scenario that comes with threadlab, which contains its text, says
    /// `#fileID`: that is the same on every machine.
    static var source: String { get }

    /// Why the program exists on real threads only, as the end of a sentence: "because …". Nil, the default: the
    /// scheduler can run it too.
    static var realThreadsOnly: String? { get }

    /// The variant of the program to run. Declare it with `@Parameter`; its first value is the default.
    var variant: Variant { get }

    /// How a run with the current parameters may end. By default, the variant's expectation.
    var expectation: Expectation { get }

    init()

    /// The body of the main thread. When it returns, the process exits, and other threads with it.
    func run() throws

    /// Examines what the process left behind after it ended. Report errors by throwing through `check`.
    func review(_ remains: Remains) throws
}

extension Scenario {
    public static var guide: Guide? { nil }
    public static var realThreadsOnly: String? { nil }
    public var expectation: Expectation { variant.expectation }

    public func review(_ remains: Remains) throws {}
}
