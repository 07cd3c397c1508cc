import Arguments
import Console
import LabSyntax
import Scenarios
import Text
import Trace

/// `threadlab new NAME`: writes a `.lab` file, a Swift package or a course, to begin with.
package enum NewAction: Action {
    package struct Options: OptionGroup {
        let name: Listed<String>
        let origin: Listed<String?>
        let swift, course: Listed<Bool>
        let checkout: Listed<String?>

        package init(_ list: inout OptionList) {
            name = list.one(
                "NAME", .file, "Name of the new file, with or without .lab; its folder must exist")
            origin = list.text(
                "from", placeholder: "PROGRAM", of: .programs,
                "Copy this program instead: a name from 'show', a .lab file, or -")
            swift = list.flag(
                "swift",
                "Create a Swift package instead: a program with a scenario of your own, and tests of it; with --course, an exercise in Swift"
            )
            course = list.flag(
                "course", "Create a course instead: a folder with a lesson, a question and an exercise")
            checkout = list.text(
                "checkout", placeholder: "FOLDER",
                "The folder of threadlab's sources, as the package sees it; without it, ../threadlab")
            list.exclude([[origin, course], [checkout, course]])
        }
    }

    package static let command = TypedCommand<Options>(
        "new", "Create a .lab file, a Swift package or a course, to begin with",
        discussion: """
            NAME.lab is a small runnable program whose comments explain its parts and suggest what to change. With \
            --swift, NAME is a folder with a package that builds a program like threadlab, to which scenarios in Swift are \
            added, with tests and a workflow. With --course, NAME is a folder with a course for 'learn', and with both, it has an exercise in Swift too. Nothing that exists is overwritten.
            """,
        examples: [
            Example("new my-counter", "writes my-counter.lab"),
            Example("new my-update --from lost-update", "a copy of a program that comes with threadlab"),
            Example("new --swift ticket-sale --checkout ~/threadlab", "a Swift package"),
            Example("new --course my-course", "a course: 'help courses' is its manual"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let name = arguments.name
        if arguments.course { return try createCourse(name, withSwift: arguments.swift, session.program) }
        if arguments.swift { return try createPackage(name, arguments) }
        if arguments.isGiven(\.checkout) {
            throw Complaint(
                "\(arguments.options.checkout.spelling) is for packages: add \(arguments.options.swift.spelling)")
        }
        let path = LabFiles.isLabFile(name) ? name : name + LabFiles.suffix
        let title = try title(path)
        let text = try arguments.origin.map { try copy(of: $0, session) } ?? StartingProgram.text(title: title)
        try NewFile(path: path).create { $0.write(text) }
        try StandardOutput.write(nextSteps(path, session.program))
        return .expected
    }

    // MARK: - A package

    private static func createPackage(_ path: String, _ arguments: TypedArguments<Options>) throws -> ExitCode {
        guard !arguments.isGiven(\.origin) else {
            throw Complaint(
                "\(arguments.options.origin.spelling) copies .lab programs: leave out \(arguments.options.swift.spelling)"
            )
        }
        let name = path.lastNameOfPath.map(String.init) ?? ""
        guard name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*/) != nil, !path.hasPrefix("-") else {
            throw Complaint(
                "NAME \(path.printable): the name of a package must be lowercase words with hyphens, like ticket-sale")
        }
        guard !Catalogue.builtIn.contains(where: { $0.name == name }) else {
            throw Complaint("NAME \(name): a scenario of threadlab has this name: choose another one")
        }
        let checkout = arguments.checkout ?? "../threadlab"
        guard !checkout.isEmpty, !checkout.contains(where: { $0 == "\"" || $0 == "\\" }),
            !checkout.unicodeScalars.contains(where: \.isHazardous)
        else {
            throw Complaint(
                "\(arguments.options.checkout.spelling) \(checkout.printable): must be the path of a folder")
        }
        try NewFolder(path: path).create(StartingPackage(name: name, checkout: checkout).files)
        try StandardOutput.write(
            """
            \(path)/ has been created. Its manifest looks for threadlab in \(checkout). Try:
              cd \(path.quotedAsPath)
              swift test
              swift run \(name) explore \(name)

            """)
        return .expected
    }

    // MARK: - A course

    private static func createCourse(_ path: String, withSwift: Bool, _ program: String) throws -> ExitCode {
        guard !path.hasPrefix("-"), !path.unicodeScalars.contains(where: \.isHazardous) else {
            throw Complaint("NAME \(path.printable): must be the name of a folder, and not begin with -")
        }
        try NewFolder(path: path).create(StartingCourse.files + (withSwift ? StartingCourse.swiftExercise : []))
        try StandardOutput.write(
            """
            \(path)/ has been created. 'help courses' is its manual. Try:
              \(program) learn lint --course \(path.quotedForShell)\(withSwift ? " --swift" : "")
              \(program) learn 1 --course \(path.quotedForShell)

            """)
        return .expected
    }

    /// The text of the program of `--from`.
    private static func copy(of name: String, _ session: Session) throws(Complaint) -> String {
        guard session.files.names(name) else {
            if session.namesScenario(name) {
                throw Complaint(
                    "\(command.options.origin.spelling) \(name.printable) is a Swift scenario: '\(session.program) show \(name) --code' prints it"
                )
            }
            throw Complaint(session.known.unknown(name).message)
        }
        return String(decoding: try session.files.file(name).program.source.bytes, as: UTF8.self)
    }

    /// The scenario's title: the file name without its extension, with spaces for hyphens.
    private static func title(_ path: String) throws(Complaint) -> String {
        let last = path.path(below: path.placeOfPath ?? "") ?? path[...]
        let stem = String(last.dropLast(LabFiles.suffix.count))
        let isFit = !stem.isEmpty && !stem.hasPrefix(".") && !path.hasPrefix("-")
        let isPlain =
            !stem.contains("\"") && !stem.contains("\\") && !path.unicodeScalars.contains(where: \.isHazardous)
        guard isFit, isPlain else {
            throw Complaint(
                "NAME \(path.printable): must be a file name that does not begin with - or . and contains no quotation "
                    + "marks, backslashes or control characters")
        }
        return stem.replacing("-", with: " ")
    }

    private static func nextSteps(_ path: String, _ program: String) -> String {
        let run = "  \(program) run \(path.quotedAsPath)"
        return """
            \(path) has been created. Open it in an editor, and try:
            \(run)
            \(run) --seed 1 --format lanes
            \(run) --seed 1 --runs 100
              \(program) explore \(path.quotedAsPath)

            """
    }
}
