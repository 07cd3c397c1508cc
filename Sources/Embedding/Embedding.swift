import Foundation
import PackagePlugin

/// Makes the package's programs, pages and scenario sources part of the room `Library`: at each build, `embed-files`
/// writes them into one Swift file.
@main
struct Embedding: BuildToolPlugin {
    /// What is embedded: a folder, or a file.
    private static let places = ["scenarios", "docs", "Sources/Scenarios"]
    private static let endings = ["lab", "md", "swift"]

    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let root = context.package.directoryURL
        let files = Self.places.flatMap { Self.files(in: root.appending(path: $0)) }
            .sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files",
                executable: try context.tool(named: "embed-files").url,
                arguments: [output.path, root.path] + files.map(\.path),
                inputFiles: files, outputFiles: [output])
        ]
    }

    private static func files(in folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { endings.contains($0.pathExtension) }
    }
}
