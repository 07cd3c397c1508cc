/// The files that are part of the tool, as they were in the package when it was built: programs, pages, the course, and
/// the sources of the built-in scenarios.
package enum Library {
    /// The text of a file.
    ///
    /// - Parameter path: from the package's root, such as `docs/language.md`.
    package static func text(of path: String) -> String? {
        embeddedFiles.first { $0.path.withUTF8Buffer { $0.elementsEqual(path.utf8) } }?.text.description
    }

    package static var paths: [String] { embeddedFiles.map { $0.path.description } }

    /// The path of a built-in scenario's source file, from the package's root. Nil: there is no such file.
    ///
    /// - Parameter identity: the file's `#fileID`, such as `Scenarios/Deadlock.swift`. Built-in scenarios do not give
    ///   their `#filePath`, which contains folders of the machine that built the tool.
    package static func path(ofFile identity: String) -> String? { scenarioPaths[identity] }

    private static let scenarioPaths: [String: String] = {
        let sources = paths.filter { $0.hasPrefix("Sources/Scenarios/") }
        return Dictionary(
            uniqueKeysWithValues: sources.map { ("Scenarios/\($0.split(separator: "/").last ?? "")", $0) })
    }()

    /// The program with this name, which is that of its file without the suffix. The chapter may precede it:
    /// `lost-update` and `basics/lost-update` are the same program.
    package static func program(named name: String) -> LibraryProgram? {
        guard let last = name.split(separator: "/", omittingEmptySubsequences: false).last,
            let program = programs[String(last)], name == program.name || name == program.path
        else { return nil }
        return program
    }

    /// The chapters in teaching order, as `scenarios/README.md` lists them.
    package static let chapters = ChapterParser(text(of: "scenarios/README.md") ?? "").chapters

    /// The programs by name.
    package static let programs: [String: LibraryProgram] = {
        let start = "scenarios/"
        let programs = embeddedFiles.compactMap { file -> LibraryProgram? in
            let path = file.path.description
            guard path.hasPrefix(start), path.hasSuffix(LibraryProgram.suffix) else { return nil }
            return LibraryProgram(
                path: String(path.dropFirst(start.count).dropLast(LibraryProgram.suffix.count)), text: file.text)
        }
        return Dictionary(uniqueKeysWithValues: programs.map { ($0.name, $0) })
    }()
}

/// Programs about one subject, in teaching order.
package struct Chapter: Sendable {
    package let name: String
    package internal(set) var summary = ""
    package internal(set) var entries: [Entry] = []

    /// A row of the chapter's table: a program, and what it shows.
    package struct Entry: Sendable {
        package let name: String
        /// What the program shows, in a short phrase.
        package let summary: String
        /// What its runs can end in: `completes`, or findings.
        package let ends: String
        /// The fixed versions of the program. One of another chapter has that chapter's name before it:
        /// `basics/lost-update-fixed`.
        let fixedBy: [String]

        /// The names of the fixed versions, without chapters.
        package var fixedPrograms: [String] { fixedBy.map { String($0.split(separator: "/").last ?? "") } }
    }

    init(name: String) { self.name = name }

    /// The chapter's programs in teaching order, each followed by those of its fixed versions that are in this chapter.
    package var programs: [(name: String, summary: String)] {
        var programs: [(name: String, summary: String)] = []
        for entry in entries {
            programs.append((entry.name, entry.summary))
            let fixed = entry.fixedBy.filter { name in
                !name.contains("/") && !entries.contains { $0.name == name } && !programs.contains { $0.name == name }
            }
            programs += fixed.map { ($0, "\(entry.name) without its fault") }
        }
        return programs
    }
}

/// A `.lab` program that is part of the tool.
package struct LibraryProgram: Sendable {
    static let suffix = ".lab"

    /// The chapter and the name: `basics/lost-update`.
    package let path: String
    private let staticText: StaticString

    init(path: String, text: StaticString) {
        self.path = path
        staticText = text
    }

    /// The name, which is unique in the library: `lost-update`.
    package var name: String { String(path.split(separator: "/").last ?? "") }
    package var text: String { staticText.description }
}
