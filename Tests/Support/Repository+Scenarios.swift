extension Repository {
    /// The programs of `scenarios/` whose runs all end well: path and text.
    package static var completingPrograms: [(path: String, text: String)] {
        programs.filter { $0.text.contains("\nexpect completes\n") }
    }

    /// Those with a run that does not, under sequential consistency.
    package static var brokenPrograms: [(path: String, text: String)] {
        let failure = /\nexpect (?:under sc )?(?!under|completes|always|never|sometimes|outcomes|warning|linearizable)/
        return programs.filter { $0.text.contains(failure) }
    }

    private static var programs: [(path: String, text: String)] {
        paths(in: "scenarios", ending: ".lab").compactMap { path in text(of: path).map { (path, $0) } }
    }
}
