/// What was run, and how: enough to run it again.
package struct TraceHeader: Equatable, Sendable {
    package enum Runtime: String, Sendable { case native, controlled }

    /// The format of saved traces (docs/trace-format.md). A reader refuses a higher one.
    package static let currentVersion = 2

    package var scenario: String
    /// Every parameter with its value, in the order of declaration.
    package var parameters: [Parameter]
    package var runtime: Runtime
    /// Controlled runs only.
    package var seed: UInt64?
    /// The choices that were made, in their printable form. Controlled runs only.
    package var schedule: String?

    /// The rules that differ from the default, as command-line options: `spurious`, `2`. Controlled runs only.
    package var rules: [Parameter] = []

    package struct Parameter: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        scenario: String, parameters: [Parameter] = [], runtime: Runtime, seed: UInt64? = nil, schedule: String? = nil
    ) {
        self.scenario = scenario
        self.parameters = parameters
        self.runtime = runtime
        self.seed = seed
        self.schedule = schedule
    }
}
