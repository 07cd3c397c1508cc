import Support
import Testing

/// `docs/strangers.md`: what is safe with files from elsewhere. Each of its items is held by tests, which attack it.
@Suite struct StrangersPageTests {
    /// By the beginning of an item: its tests, each with its suite.
    static let attacks: [String: [String]] = [
        "Programs are started by": [
            "ProgramGateTests: a command that starts none refuses a file that runs one, and the program itself",
            "ProgramGateTests: check starts programs of files that are named, and of none that it finds or a configuration names",
            "ProgramGateTests: the check of a language server starts none",
            "ProgramGateTests: a lesson's command starts no program, by its absolute path neither",
            "ProgramGateTests: a task, a submission and an exercise that run a program are refused",
        ],
        "A lesson's command only reads": [
            "HostileCourseTests: a lesson's command that could write or read elsewhere is refused",
            "HostileCourseTests: a lesson's command is a command of threadlab and not a script",
            "HostileCourseTests: no option of a reading command that takes a path is allowed, whatever its name",
        ],
        "Of a course, no link": [
            "HostileCourseTests: a link is not followed",
            "HostileCourseTests: a lesson in a folder that is a link is not read",
            "HostileCourseTests: a file that is too long is not read",
        ],
        "A link out of a student's folder": ["GradeTests: a link out of a student's folder is not a submission"],
        "Swift is built and run only": [
            "LearnTests: nothing in Swift is built unless that is asked for, and then it is",
            "GradeTests: a submission in Swift is run only if that is asked for",
        ],
        "A trace is shown without": ["CompiledCheckTests: what only shows a saved run starts no program"],
        "Names and texts reach": [
            "HostileCourseTests: an escape in a title reaches no terminal",
            "ReportSafetyTests: every report does nothing to a terminal, whatever the names are",
            "LabelTests: a label shows what cannot be seen, as messages do",
            "ReportSafetyTests: every report shows no harm in the words of a stranger's remarks",
            "PageTests: a page lets no text of a program become markup or code",
            "PageTests: a page allows its own script and style, and nothing else",
            "ProgramPageTests: no text of a program becomes markup or code",
        ],
        "A page of a saved trace": [
            "OutputTests: a saved trace shows only sources below the working directory",
            "OutputTests: a saved trace shows no program from elsewhere that it only names",
        ],
        "What is written into a folder": [
            "OutputTests: a link in the folder of a check's files is replaced, and not followed",
            "OutputTests: a link in the folder of a search's traces is replaced, and not followed",
            "OutputTests: a link in the folder of grades is replaced, and not followed",
            "OutputTests: a link in the folder of proofs is replaced, and not followed",
            "OutputTests: a file that a folder only links to is not formatted in place",
            "OutputTests: a learner's notes are not written through a link",
            "OutputTests: an exercise is not reset through a link",
            "OutputTests: every call that creates a file follows no link",
        ],
        "No file's name is an option": [
            "OutputTests: no path of a file is an option of the program that draws it",
            "OutputTests: a program that makes a file of several opens none of their names",
        ],
        "A number out of its range": [
            "TraceRangeTests: a number is in its range, or its line is refused",
            "ExtremeRecordingTests: any number in any word is an event's, or is left out",
            "ExtremeNumberFuzzTests: a trace with extreme numbers is shown in every view",
            "ExtremeNumberFuzzTests: a result of a check with extreme numbers is merged or refused",
            "ExtremeNumberFuzzTests: a task, its result and its progress with extreme numbers are worked on, merged or refused",
            "ExtremeNumberFuzzTests: an option of a file has a number of its range, or is refused with its place",
            "DamagedProgramTests: extreme numbers in what is for debuggers change no verdict",
            "MergeTests: a forged trace in a result is the mistake of that file, and nothing is written",
            "WorkTests: a forged finding is the mistake of its file",
        ],
        "A killed `check` or `learn`": [
            "TemporaryFolderTests: a temporary folder goes with the process, however that ends"
        ],
        "A search of `check` has a gigabyte": [
            "MemoryLimitTests: a search ends whose process has more memory than it may",
            "StateMemoryTests: a search of large states needs no more memory than it may",
            "BoundTests: a check of very many large states ends at the limit of memory, and says so",
            "BoundTests: a trace of very many threads is exported in part, and that is said",
            "BoundTests: the orders of very many locks are drawn in part",
            "BoundTests: very long names are shown in part",
            "TracePartTests: the clocks of very many threads are not made",
        ],
        "A configuration has at most": [
            "BoundTests: a configuration of very many tables is refused where they are too many"
        ],
        "`threadlab.toml`, `.threadlab-learn` and caches": [
            "SettingsFileTests: a configuration of another user is an error, and what to do is said",
            "SettingsFileTests: so is one in a folder of another user, and a link of another user's",
            "SettingsFileTests: a configuration that all users can change is an error",
            "SettingsFileTests: nothing is searched in a folder above, to which all users can add files",
            "SettingsFileTests: nor in a folder above that is another user's",
            "SettingsFileTests: a learner's notes are believed only from their owner",
            "SettingsFileTests: proofs are believed only from their owner",
            "SettingsFileTests: what was built before is run only from its owner",
        ],
        "A configuration leads to nothing outside": [
            "SettingsFileTests: a configuration leads to nothing outside of its folder",
            "SettingsFileTests: a file that is a link out of the folder is not written, and what stays in it is",
            "SettingsFileTests: nor does it name what to check there",
            "SettingsFileTests: a configuration names no revision",
            "SettingsFileTests: a learner's notes name no checkout, whose code would be built",
        ],
        "`--changed-since` makes git": ["SettingsFileTests: git runs nothing that a repository's configuration names"],
        "A `.lab` file gives its program": ["ProgramGateTests: a file gives its program no variable that loads code"],
        "A program that you start": [
            "ProgramGateTests: explore, run, replay, play and check of a file start what it runs, with the user's rights"
        ],
        "So can Swift": ["LearnTests: nothing in Swift is built unless that is asked for, and then it is"],
        "What writes to a folder of proofs": ["ProofCacheTests: what can write to the folder can forge a proof"],
    ]

    @Test func `each item of the page has tests`() throws {
        let page = try #require(Repository.text(of: "docs/strangers.md"))
        let items = page.split(separator: "\n").filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
        for item in items {
            let rows = Self.attacks.keys.count { item.hasPrefix($0) }
            #expect(rows == 1, "no row here, or two: \(item)")
        }
        for beginning in Self.attacks.keys {
            #expect(items.contains { $0.hasPrefix(beginning) }, "the page does not say it: \(beginning)")
        }
    }

    @Test func `the tests of each item exist`() throws {
        let files = Repository.paths(in: "Tests", ending: ".swift")
        for test in Self.attacks.values.joined() {
            let colon = try #require(test.firstIndex(of: ":"))
            let name = test[colon...].dropFirst(2)
            let suites = files.filter { $0.hasSuffix("/\(test[..<colon]).swift") }
            #expect(suites.contains { Repository.text(of: $0)?.contains("func `\(name)`(") == true }, "\(test)")
        }
    }

    @Test func `help shows the page`() throws {
        try threadlab("help", "strangers").run().succeeds().prints("FILES OF STRANGERS")
    }
}
