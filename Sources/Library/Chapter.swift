/// Programs about one subject, in teaching order.
package struct Chapter: Sendable {
    package let name: String
    package internal(set) var summary = ""
    package internal(set) var entries: [Entry] = []

    /// A row of the chapter's table: a program, and what it shows.
    package struct Entry: Sendable {
        package let name: String
        /// In a few words.
        package let summary: String
        /// What its runs can end in: `completes`, or findings.
        package let ends: String
        /// The programs without its fault; one of another chapter with that chapter's name: `basics/lost-update-fixed`.
        let fixedBy: [String]

        /// The names of the programs without its fault.
        package var fixedPrograms: [String] { fixedBy.map { String($0.split(separator: "/").last ?? "") } }
    }

    init(name: String) { self.name = name }

    /// All of the chapter's programs in teaching order, fixed ones after those that they fix.
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
