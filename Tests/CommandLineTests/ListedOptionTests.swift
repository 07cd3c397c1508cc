import Support
import Testing

/// A command that reads an option that it does not list traps. So each declared option is listed, and a command lists
/// each option that its source reads.
@Suite struct ListedOptionTests {
    struct File: CustomTestStringConvertible {
        let name: String
        let text: String

        var testDescription: String { name }
        var isCommand: Bool { text.contains("static let command = Command(") }
        /// The name of the type in the file.
        var type: String { String(name.split(separator: "/").last!.dropLast(".swift".count)) }

        /// The entries in lists of options and positionals.
        var listed: Set<String> {
            var names: Set<String> = []
            for start in ["options: ", "positionals: ", "OptionDeclaration] = "] {
                for part in text.components(after: start) {
                    // Up to the next argument, or the end of the declaration.
                    let list = part.prefix { $0 != ":" && $0 != "}" && $0 != "/" }
                    names.formUnion(list.split { !$0.isLetter && $0 != "." }.map(String.init))
                }
            }
            return names
        }

        var declared: [String] {
            text.components(after: "static let ").compactMap { part in
                let words = part.prefix(120).split { !$0.isLetter }
                guard words.count > 1, ["TypedOption", "TypedPositional"].contains(words[1]) else { return nil }
                return String(words[0])
            }
        }

        var read: [String] { text.components(after: "arguments[").map { String($0.prefix { $0 != "]" }) } }
    }

    static let files = Repository.paths(in: "Sources/ThreadLab", ending: ".swift").sorted().map { name in
        File(name: name, text: Repository.text(of: name) ?? "")
    }

    @Test(arguments: files.filter { !$0.declared.isEmpty }) func `every declared option is listed`(file: File) {
        let elsewhere = Set(Self.files.flatMap(\.listed))
        for name in file.declared {
            #expect(file.listed.contains(name) || elsewhere.contains("\(file.type).\(name)"), "\(name)")
        }
    }

    @Test(arguments: files.filter(\.isCommand)) func `a command lists what it reads`(file: File) {
        for name in file.read { #expect(file.listed.contains(name.replacing("Self.", with: "")), "\(name)") }
    }

    @Test func `the sources are found`() {
        #expect(Self.files.count { $0.isCommand } >= 12)
        #expect(Self.files.flatMap(\.declared).count > 30)
    }
}

extension String {
    /// The text after each occurrence.
    fileprivate func components(after text: String) -> [Substring] { ranges(of: text).map { self[$0.upperBound...] } }
}
