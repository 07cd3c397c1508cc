/// A built-in scenario, as far as a file that runs it can be wrong about it.
package struct KnownScenario: Sendable {
    package struct Parameter: Sendable {
        package enum Form: Equatable, Sendable {
            case integer, duration
            case words([String])
        }

        package var name: String
        package var form: Form

        package init(name: String, form: Form) {
            self.name = name
            self.form = form
        }
    }

    package var name: String
    package var parameters: [Parameter]

    package init(name: String, parameters: [Parameter]) {
        self.name = name
        self.parameters = parameters
    }
}
