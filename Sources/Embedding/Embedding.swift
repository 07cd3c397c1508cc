import Foundation
import PackagePlugin

/// Makes files part of a room: the package's programs, pages and scenario sources part of `Library`, and the parts of a
/// page of HTML part of `Reports`. At each build, `embed-files` writes them into one Swift file.
@main
struct Embedding: BuildToolPlugin {
    /// The folders whose files are embedded, by room.
    private static let places = [
        "Library": ["scenarios", "docs", "course", "Sources/Scenarios"],
        "Reports": ["Sources/Reports/HTML/Template"],
    ]

    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let root = context.package.directoryURL
        let names = Self.places[target.name] ?? []
        let places = names.map { root.appending(path: $0) }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(names.joined(separator: ", "))",
                executable: try context.tool(named: "embed-files").url,
                arguments: [output.path, root.path] + places.map(\.path),
                inputFiles: places.flatMap(Self.content), outputFiles: [output])
        ]
    }

    /// The files of a folder, and all folders: a folder changes when a file is added to it.
    private static func content(of folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return [folder] + (all?.compactMap { $0 as? URL } ?? [])
    }
}
