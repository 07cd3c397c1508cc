// The library `ThreadLab` of the package: the primitives, such as threads and locks, and what scenarios are written
// with. Tests also import the library `ThreadLabTesting`, and a command line `ThreadLabCommandLine`.
@_exported import Authoring
@_exported import Primitives

extension Lab {
    /// Explains in a message of the compiler what is missing: the command line is a library of its own, so that tests
    /// are built without it.
    @available(
        *, unavailable,
        message:
            "write 'import ThreadLabCommandLine' here, and add this product of threadlab to the target in Package.swift"
    )
    public static func main(_ scenarios: [any Scenario.Type]) -> Never {
        preconditionFailure("the compiler refuses calls")
    }
}
