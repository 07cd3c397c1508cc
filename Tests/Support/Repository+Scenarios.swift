extension Repository {
    /// The programs of `scenarios/` of which every run ends well: path and text.
    package static var completingPrograms: [(path: String, text: String)] {
        programs.filter { $0.text.contains("\nexpect completes\n") }
    }

    /// Those of which some run does not.
    package static var brokenPrograms: [(path: String, text: String)] {
        programs.filter { $0.text.contains(/\nexpect (?!completes|always|never|sometimes|outcomes)/) }
    }

    private static var programs: [(path: String, text: String)] {
        paths(in: "scenarios", ending: ".lab").compactMap { path in text(of: path).map { (path, $0) } }
    }
}
