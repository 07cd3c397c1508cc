import Console

/// The files that `new --swift` writes: a package that builds a program with all commands of threadlab and a scenario
/// of its own, and tests of the scenario.
struct StartingPackage {
    /// Lowercase words with hyphens: the name of the package, of its program and of its scenario.
    let name: String
    /// The path of threadlab's sources in the manifest.
    let checkout: String

    /// The files, with their paths in the package's folder.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest),
            ("Sources/\(name)/main.swift", program),
            ("Sources/\(type)Scenarios/\(type).swift", scenario),
            ("Tests/\(type)Tests/\(type)Tests.swift", tests),
            ("README.md", readme),
            (".github/workflows/test.yml", workflow),
            (".gitignore", ".build/\n"),
        ]
    }

    /// The name of the scenario's type: `TicketSale` for `ticket-sale`.
    private var type: String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name)",
            platforms: [.macOS(.v15)],
            // threadlab's sources. Once they are published somewhere: .package(url: "https://…", from: "\(Session.version)")
            dependencies: [.package(name: "threadlab", path: "\(checkout)")],
            targets: [
                .executableTarget(
                    name: "\(name)",
                    dependencies: [
                        "\(type)Scenarios", .product(name: "ThreadLabCommandLine", package: "threadlab"),
                    ]),
                .target(
                    name: "\(type)Scenarios", dependencies: [.product(name: "ThreadLab", package: "threadlab")]),
                .testTarget(
                    name: "\(type)Tests",
                    dependencies: ["\(type)Scenarios", .product(name: "ThreadLabTesting", package: "threadlab")]),
            ],
            swiftLanguageModes: [.v6]
        )

        """
    }

    private var program: String {
        """
        import ThreadLabCommandLine
        import \(type)Scenarios

        // All of threadlab's commands, with your scenarios beside the built-in ones. Leave out `Catalogue.builtIn` to have only
        // your own. It must be the first thing that the program does: runs are forked from it.
        Lab.main(Catalogue.builtIn + [\(type).self])

        """
    }

    private var scenario: String {
        """
        import ThreadLab

        /// Two threads add to a counter that they share. Change it into your own scenario.
        public struct \(type): Scenario {
            public static let name = "\(name)"
            public static let summary = "Two threads add to a counter that they share."
            public static let lesson = "`count = count + 1` is a read and a write: another thread can come in between."
            public static let source = #filePath

            /// The versions of the program, and how their runs may end: `check` holds them to it.
            public enum Variant: String, ScenarioVariant {
                case plain, locked

                public var summary: String {
                    switch self {
                    case .plain: "nothing protects the counter"
                    case .locked: "a mutex protects the counter"
                    }
                }

                public var expectation: Expectation {
                    switch self {
                    case .plain: .may(.race, .assertion)
                    case .locked: .completes
                    }
                }
            }

            @Parameter("how the counter is protected") public var variant = Variant.plain
            @Parameter("how often each thread adds", in: 1...100) public var rounds = 1

            public init() {}

            /// The main thread. Create everything that it uses here: it is run again and again.
            public func run() throws {
                let lock = Mutex("lock")
                let count = Shared("count", 0)
                let add: @Sendable () throws -> Void = {
                    for _ in 0..<rounds {
                        switch variant {
                        case .plain: try count.update { $0 + 1 }
                        case .locked: try lock.withLock { try count.update { $0 + 1 } }
                        }
                    }
                }
                let other = try Thread("other") { try add() }
                try add()
                try other.join()
                try check(try count.read() == 2 * rounds, "an addition was lost")
            }
        }

        """
    }

    private var tests: String {
        """
        import Testing
        import ThreadLab
        import ThreadLabTesting
        import \(type)Scenarios

        @Suite struct \(type)Tests {
            @Test("the plain variant fails under some schedule") func plain() throws {
                try explore(\(type)())
            }

            @Test("no schedule breaks the locked variant") func locked() throws {
                var scenario = \(type)()
                scenario.variant = .locked
                scenario.rounds = 2
                let result = try explore(scenario, .exhaustive)
                #expect(result.triedEveryOrder)
            }

            @Test("code that is no scenario can be explored too") func closure() throws {
                try explore {
                    let count = Atomic("count", 0)
                    let other = try Thread("other") { try count.add(1) }
                    try count.add(1)
                    try other.join()
                    try check(try count.load() == 2)
                }
            }
        }

        """
    }

    private var readme: String {
        """
        # \(name)

        Scenarios for [threadlab](\(checkout)): small concurrent programs that are run on real threads and under a scheduler that
        decides every step.

        On Debian: `apt-get install libpthread-stubs0-dev libboost-context-dev libncurses-dev`. Then:

        ```sh
        swift test                             # every schedule of the scenarios, as unit tests
        swift run \(name) run \(name) --seed 1 --format lanes
        swift run \(name) explore \(name)
        swift run \(name) check \(name)
        ```

        A release build for measurements: `swift build -c release --static-swift-stdlib --experimental-lto-mode full`. The
        optimization at link time is worth 19 to 27 % more executions a second, and some minutes of building; without the last
        option the program is only slower.

        - `Sources/\(type)Scenarios`: the scenarios, one a file.
        - `Sources/\(name)/main.swift`: their list.
        - `Tests/\(type)Tests`: what must be true of them.

        """
    }

    private var workflow: String {
        """
        name: test
        on: [push, pull_request]
        jobs:
          test:
            runs-on: ubuntu-latest
            container: swift:6.2-bookworm
            steps:
              - run: apt-get update && apt-get install -y libpthread-stubs0-dev libboost-context-dev libncurses-dev
              - uses: actions/checkout@v4
                with:
                  path: \(name)
              # Where the manifest looks for threadlab.
              - uses: actions/checkout@v4
                with:
                  repository: OWNER/threadlab
                  path: threadlab
              - run: swift test
                working-directory: \(name)
              - run: swift run -c release \(name) check \(name)
                working-directory: \(name)

        """
    }
}
