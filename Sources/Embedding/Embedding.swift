import Foundation
import PackagePlugin

/// Makes files part of a room at each build: programs, manual pages and scenario sources part of `Library`, parts of
/// the HTML page part of `Reports`, and a digest of the sources that a proof depends on part of `EngineDigest`.
/// `embed-files` writes each as one Swift file.
@main
struct Embedding: BuildToolPlugin {
    /// The folders whose files are embedded, by room.
    private static let places = [
        "Library": ["scenarios", "docs", "course", "Sources/Scenarios"],
        "Reports": ["Sources/Reports/HTML/Template"],
    ]

    /// The rooms on which no proof depends: they show or request proofs, or run what the program's file names. A room
    /// that is not listed is part of the digest.
    private static let roomsOfWords: Set<String> = [
        "Arguments", "BuildCommands", "CBench", "CLitmus", "CScreen", "Costs", "Course", "Embedding", "LabEditing",
        "Library", "Litmus", "Play", "PlayScreen", "Reports", "RunCommands", "Scenarios", "SearchCommands",
        "TeachCommands", "ThreadLab", "ThreadLabCommandLine", "ThreadLabPthread", "ThreadLabTesting", "ThreadLabTypes",
        "Views", "benchmarks", "embed-files", "threadlab",
    ]

    private static func foldersOfEngine(_ root: URL) throws -> [String] {
        let rooms = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
        return rooms.sorted().filter { !roomsOfWords.contains($0) && !$0.hasPrefix(".") }.map { "Sources/\($0)" }
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

    /// The files and folders in a folder, and itself: a folder changes when a file is added to it.
    private static func content(of folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return [folder] + (all?.compactMap { $0 as? URL } ?? [])
    }
}
