/// The properties of a built-in scenario that a file that runs it can get wrong.
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
