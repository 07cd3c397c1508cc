// The library `ThreadLab` of the package: it exports the primitives and what can be run, which is all that a test or a
// file with scenarios needs.
@_exported import Authoring
@_exported import Primitives

extension Lab {
    /// The command line is a module of its own, so that tests are built without it.
    @available(
        *, unavailable,
        message:
            "write 'import ThreadLabCommandLine' here, and add this product of threadlab to the target in Package.swift"
    )
    public static func main(_ scenarios: [any Scenario.Type]) -> Never {
        preconditionFailure("the compiler refuses calls")
    }
}
