import Foundation
import PackagePlugin

/// Makes files part of a room: the package's programs, pages and scenario sources part of `Library`, and the parts of a
/// page of HTML part of `Reports`; and a digest of the sources that decide a proof part of `EngineDigest`. At each build,
/// `embed-files` writes them into one Swift file.
@main
struct Embedding: BuildToolPlugin {
    /// The folders whose files are embedded, by room.
    private static let places = [
        "Library": ["scenarios", "docs", "course", "Sources/Scenarios"],
        "Reports": ["Sources/Reports/HTML/Template"],
    ]

    /// The rooms that decide no proof: they show it, ask for it, or run what is named by the program's file. A new room decides one until
    /// it stands here.
    private static let roomsOfWords: Set<String> = [
        "Arguments", "CBench", "CLitmus", "CScreen", "Costs", "Course", "Embedding", "LabEditing", "Library", "Litmus",
        "Play", "PlayScreen", "Reports", "Scenarios", "ThreadLab", "ThreadLabCommandLine", "ThreadLabPthread",
        "ThreadLabTesting", "ThreadLabTypes", "Views", "benchmarks", "embed-files", "threadlab",
    ]
    /// What of the command line decides how it is searched, and what is remembered.
    private static let partsOfCommandLine = ["CommandLine", "Commands/Check", "Compiled"]

    private static func foldersOfEngine(_ root: URL) throws -> [String] {
        let rooms = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
        return rooms.sorted().filter { !roomsOfWords.contains($0) && !$0.hasPrefix(".") }.map { "Sources/\($0)" }
            + partsOfCommandLine.map { "Sources/ThreadLabCommandLine/\($0)" }
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

    /// The files of a folder, and all folders: a folder changes when a file is added to it.
    private static func content(of folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return [folder] + (all?.compactMap { $0 as? URL } ?? [])
    }
}
