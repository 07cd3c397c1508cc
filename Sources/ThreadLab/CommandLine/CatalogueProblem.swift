import Authoring
import Text

/// A mistake in the list of scenarios that a program was built with. It is reported when the program starts.
struct CatalogueProblem {
    let message: String

    /// Nil if the list is right.
    ///
    /// - Parameter options: the names of the command line's own options.
    init?(_ scenarios: [any Scenario.Type], options: Set<String>) {
        var names: Set<String> = []
        for scenario in scenarios {
            let place = "\(scenario) (\(scenario.source))"
            guard scenario.name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil else {
                message = "\(place): its name '\(scenario.name)' must be lowercase words with hyphens".printable
                return
            }
            guard names.insert(scenario.name).inserted else {
                message = "\(place): another scenario is called '\(scenario.name)' too".printable
                return
            }
            if let parameter = scenario.parameters.first(where: { options.contains($0.name) }) {
                message =
                    "\(place): the command line has an option '--\(parameter.name)': rename the parameter".printable
                return
            }
        }
        return nil
    }
}
