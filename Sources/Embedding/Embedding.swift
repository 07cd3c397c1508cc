import Foundation
import PackagePlugin

/// A build plugin that makes files part of a module: programs, manual pages, the course and scenario sources part of
/// `Library`, the parts of an HTML page part of `Reports`, and a digest of the sources on which a proof depends part of
/// `EngineDigest`. For each of these modules, `embed-files` writes one Swift file.
@main
struct Embedding: BuildToolPlugin {
    /// The folders whose files are embedded, by module.
    private static let places = [
        "Library": ["scenarios", "docs", "course", "Sources/Scenarios"],
        "Reports": ["Sources/Reports/HTML/Template"],
    ]

    /// The modules that the digest leaves out. No proof depends on most of them: they request searches or show results.
    /// The others are for scenarios in Swift, whose proofs depend on the whole file of the program (`ProofCache`).
    private static let modulesLeftOut: Set<String> = [
        "Arguments", "BuildCommands", "CBench", "CLitmus", "CScreen", "Costs", "Course", "Embedding", "LabEditing",
        "Library", "Litmus", "Play", "PlayScreen", "Reports", "RunCommands", "Scenarios", "SearchCommands",
        "TeachCommands", "ThreadLab", "ThreadLabCommandLine", "ThreadLabPthread", "ThreadLabTesting", "ThreadLabTypes",
        "Views", "benchmarks", "embed-files", "threadlab",
    ]

    /// The folders of all other modules, from the package's root.
    private static func foldersOfEngine(_ root: URL) throws -> [String] {
        let modules = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
        return modules.sorted().filter { !modulesLeftOut.contains($0) && !$0.hasPrefix(".") }.map { "Sources/\($0)" }
    }

    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let root = context.package.directoryURL
        let isDigest = target.name == "EngineDigest"
        let names = isDigest ? try Self.foldersOfEngine(root) : Self.places[target.name] ?? []
        let places = names.map { root.appending(path: $0) }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: isDigest ? "Digest of the engine's sources" : "Embedding \(names.joined(separator: ", "))",
                executable: try context.tool(named: "embed-files").url,
                arguments: (isDigest ? ["--digest"] : []) + [output.path, root.path] + places.map(\.path),
                inputFiles: places.flatMap(Self.content), outputFiles: [output])
        ]
    }

    /// The folder itself and all files and folders in it. Folders count, because one changes when a file is added to
    /// it.
    private static func content(of folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return [folder] + (all?.compactMap { $0 as? URL } ?? [])
    }
}
