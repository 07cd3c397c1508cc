import Primitives
import Trace

/// A small concurrent program that shows one idea, in variants that are broken or fixed.
///
/// Write it with the primitives as one would with ordinary threads, and never ask which runtime it is on. A scenario with no
/// parameter but its variant:
/// ```swift
/// struct LostUpdate: Scenario {
///     static let name = "lost-update"
///     static let summary = "Two threads each add one to a counter."
///     static let lesson = "`count = count + 1` is a read and a write, and another thread may come between them."
///     static let guide = Guide.synchronization("Using Atomic Operations")
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

    /// What the command line calls it: lower-case words with hyphens.
    static var name: String { get }
    /// One sentence: what the program does.
    static var summary: String { get }
    /// A paragraph or two: what there is to see, and why.
    static var lesson: String { get }
    /// Where the guide treats it.
    static var guide: Guide { get }
    /// The file that it is written in: `#filePath`.
    static var source: String { get }

    /// Which form of the program runs. Declare it with `@Parameter`; its first value is the default.
    var variant: Variant { get }

    /// How a run with the present parameters may end. The variant's, unless the scenario says otherwise.
    var expectation: Expectation { get }

    init()

    /// The body of the main thread. When it returns, the process exits, and other threads with it.
    func run() throws

    /// Looks at what the process left behind, after it has ended. Throw through `check` what is wrong.
    func review(_ remains: Remains) throws
}

extension Scenario {
    public var expectation: Expectation { variant.expectation }

    public func review(_ remains: Remains) throws {}
}
