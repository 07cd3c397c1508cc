import LabSyntax

/// A `.lab` file that has been read and is valid: names are resolved to numbers, and every expression has a type.
///
/// Objects, threads, functions and parameters are numbered by their place in these arrays. An array such as `mutex
/// fork[5]` is one entry; the number of its elements can depend on parameters, so `configured(with:)` determines it.
package struct Program: Sendable {
    /// The scenario's name, as the file gives it.
    package var title: String
    /// The lines of the `///` comment before it, without the slashes.
    package var description: [String]
    package var source: SourceText
    package var parameters: [Parameter] = []
    package var objects: [Object] = []
    package var functions: [Function] = []
    package var threads: [Thread] = []
    /// The code of the main thread after the threads that it joins have ended.
    package var finally: Body?
    /// The built-in scenario that the file runs. The file then has no threads and no objects itself.
    package var builtIn: BuiltInRun?
    package var claims: [Claim] = []
    /// Whether some thread says where it makes progress: then the program may continue forever.
    package var hasProgress = false

    package init(title: String, description: [String], source: SourceText) {
        self.title = title
        self.description = description
        self.source = source
    }
}
