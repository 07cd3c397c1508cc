extension Repository {
    /// The programs of `scenarios/` of which every run ends well: path and text.
    package static var completingPrograms: [(path: String, text: String)] {
        paths(in: "scenarios", ending: ".lab").compactMap { path in
            guard let text = text(of: path), text.contains("\nexpect completes\n") else { return nil }
            return (path, text)
        }
    }
}
