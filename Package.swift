// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// A room of the house (docs/ARCHITECTURE.md). Its dependencies are the arrows, and run one way only.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "threadlab",
    products: [
        .executable(name: "threadlab", targets: ["threadlab"]),
        .library(name: "ThreadLab", targets: ["ThreadLab"]),
        .library(name: "ThreadLabCommandLine", targets: ["ThreadLabCommandLine"]),
        .library(name: "ThreadLabTesting", targets: ["ThreadLabTesting"]),
        .library(name: "ThreadLabTypes", targets: ["ThreadLabTypes"]),
        .library(name: "ThreadLabPthread", targets: ["ThreadLabPthread"]),
        // What compiled programs are linked with, under the name of the library that gcc links with the same code; and load.
        .library(name: "tsan", type: .static, targets: ["CompiledRuntime"]),
        // The same for programs that were built for ThreadSanitizer before.
        .library(name: "threadlab_runtime", type: .dynamic, targets: ["CompiledRuntime"]),
        .library(name: "threadlab_engine", type: .dynamic, targets: ["CompiledEngine"]),
    ],
    targets: [
        .systemLibrary(
            name: "CPthread", pkgConfig: "pthread-stubs", providers: [.apt(["libpthread-stubs0-dev"])]),
        .systemLibrary(name: "CContext", providers: [.apt(["libboost-context-dev"])]),
        .target(name: "CLab"),
        .target(name: "CLitmus"),
        // What a compiled program and the engine in its process say to each other; the program's side, which is linked into it.
        // libstdc++, which Swift needs too, reads the names of C++.
        .target(name: "CCompiled", linkerSettings: [.linkedLibrary("stdc++")]),
        .target(
            name: "CompiledRuntime", dependencies: ["CCompiled"], cSettings: [.headerSearchPath(".")],
            // As a library, it takes the place of gcc's, and nothing of Swift is in it.
            linkerSettings: [
                .unsafeFlags(["-static-stdlib", "-nostartfiles", "-Xlinker", "-soname=libtsan.so.2"])
            ]),

        // What the tool carries with it: programs, pages, sources of scenarios; and the parts of a page of HTML.
        .target(name: "Library", dependencies: ["Text"], swiftSettings: strict, plugins: ["Embedding"]),
        // Which engine has made a proof.
        .target(name: "EngineDigest", swiftSettings: strict, plugins: ["Embedding"]),
        .plugin(
            name: "Embedding", capability: .buildTool(), dependencies: ["embed-files"], path: "Sources/Embedding"),
        .executableTarget(name: "embed-files", swiftSettings: strict),

        room("Text"),
        room("Histories"),
        room("Recipes", ["Text"]),
        room("Trace", ["CLab", "CPthread", "Text"]),
        room("Machine", ["Trace"]),
        .target(
            name: "Execution", dependencies: ["Trace", "Machine", "CLab", "CPthread", "CContext"],
            swiftSettings: strict,
            // Not in the module map: what stands there the linker of a link-time optimization does not find.
            linkerSettings: [.linkedLibrary(":libboost_context.a")]),
        room("Primitives", ["CLab", "Recipes", "Text", "Trace", "Machine", "Execution"]),
        room("Diagnosis", ["Text", "Trace"]),
        room("Views", ["Trace", "Diagnosis"]),
        .target(
            name: "Reports", dependencies: ["Text", "Trace", "Diagnosis", "Views", "Exploration"],
            exclude: ["HTML/Template"], swiftSettings: strict, plugins: ["Embedding"]),
        room("Exploration", ["Trace", "Machine"]),
        room("Authoring", ["Text", "Trace", "Machine", "Execution", "Primitives"]),
        room("Scenarios", ["Trace", "Machine", "Execution", "Primitives", "Authoring"]),
        room("Arguments", ["Text"]),
        room("LabSyntax", ["Text", "Recipes"]),
        room("LabProgram", ["Text", "Recipes", "Trace", "Machine", "Diagnosis", "LabSyntax"]),
        room(
            "LabExecution",
            ["Text", "Histories", "Recipes", "Trace", "Machine", "Execution", "Authoring", "LabSyntax", "LabProgram"]),
        // What an editor asks about a program that is being written.
        room("LabEditing", ["Recipes", "LabSyntax", "LabProgram"]),
        // Files that compilers and linkers have written: ELF and DWARF.
        room("DebugInformation"),
        room(
            "CompiledExecution",
            ["CCompiled", "CLab", "DebugInformation", "Text", "Trace", "Machine", "Execution", "Authoring"]),
        // The command line as a library, which a compiled program loads.
        .target(name: "CEngine"),
        .target(
            name: "CompiledEngine", dependencies: ["CCompiled", "CEngine", "ThreadLabCommandLine"],
            swiftSettings: strict,
            // Debian's libraries for static linking are not made for shared ones: they can be in one if it does not export them.
            // Programs load it where no toolchain is.
            linkerSettings: [.unsafeFlags(["-static-stdlib", "-Xlinker", "--exclude-libs=ALL"])]),
        // Many rounds of a small program on real threads, unrecorded: what the processor's memory does.
        room("Litmus", ["CLitmus", "Trace", "Machine", "LabSyntax", "LabProgram"]),
        room(
            "Supervision",
            [
                "CLab", "Text", "Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Exploration", "Authoring",
            ]),
        room(
            "Judging",
            [
                "Text", "Trace", "Machine", "Diagnosis", "Exploration", "Authoring", "LabSyntax", "LabProgram",
                "LabExecution",
                "Supervision",
            ]),
        room(
            "Course",
            [
                "Text", "Trace", "Machine", "Diagnosis", "Exploration", "Authoring", "LabSyntax", "LabProgram",
                "LabExecution", "Judging",
                "Supervision",
            ]),
        room(
            "Play",
            ["Text", "Trace", "Machine", "Diagnosis", "Views", "Reports", "Exploration", "Authoring", "Supervision"]),
        .target(name: "CScreen"),
        .target(
            name: "PlayScreen", dependencies: ["Text", "Trace", "Play", "CScreen"], swiftSettings: strict,
            // As in Execution: not in the module map, and linked statically.
            linkerSettings: [.linkedLibrary(":libncursesw.a"), .linkedLibrary(":libtinfo.a")]),
        // The primitives and scenarios, for tests and programs of other packages.
        room("ThreadLab", ["Primitives", "Authoring"]),
        // What all commands of the command line need: the session, the terminal, files, traces, shared options.
        room(
            "Console",
            [
                "Arguments", "Authoring", "CCompiled", "CLab", "CompiledExecution", "Course", "DebugInformation",
                "Diagnosis", "Execution", "Exploration", "Judging", "LabExecution", "LabProgram", "LabSyntax",
                "Library", "Machine", "Reports", "Supervision", "Text", "Trace",
            ]),
        // The commands, by the groups of the help text.
        room(
            "RunCommands",
            [
                "Arguments", "Authoring", "Console", "Costs", "Diagnosis", "Exploration", "LabExecution", "Machine",
                "Play", "PlayScreen", "Reports", "Supervision", "Text", "Trace",
            ]),
        room(
            "SearchCommands",
            [
                "Arguments", "Authoring", "Console", "Diagnosis", "Exploration", "LabExecution", "LabSyntax", "Litmus",
                "Machine", "Reports", "Supervision", "Text", "Trace",
            ]),
        room(
            "CheckCommands",
            [
                "Arguments", "Authoring", "CompiledExecution", "Console", "Diagnosis", "EngineDigest", "Judging",
                "LabExecution", "LabProgram", "LabSyntax", "Library", "Machine", "Reports", "Supervision", "Text",
                "Trace",
            ]),
        room(
            "TeachCommands",
            [
                "Arguments", "Authoring", "CheckCommands", "Console", "Course", "Diagnosis", "Judging", "LabExecution",
                "LabProgram", "LabSyntax", "Library", "Litmus", "Machine", "Reports", "RunCommands", "Supervision",
                "Text", "Trace",
            ]),
        room(
            "BuildCommands",
            [
                "Arguments", "Console", "LabEditing", "LabProgram", "LabSyntax", "Recipes", "Scenarios", "Supervision",
                "Text", "Trace",
            ]),
        room(
            "ThreadLabCommandLine",
            [
                "Arguments", "Authoring", "BuildCommands", "CCompiled", "CheckCommands", "CompiledExecution", "Console",
                "RunCommands", "Scenarios", "SearchCommands", "Supervision", "TeachCommands", "Text", "ThreadLab",
            ]),
        // The system's types under the lab, for code that was not written for it.
        room("ThreadLabTypes", ["Trace", "Execution", "Primitives"]),
        // POSIX's types and functions under the lab.
        room("ThreadLabPthread", ["CLab", "Execution", "Primitives", "ThreadLabTypes"]),
        // For tests of other packages, and so the only room that knows the libraries that run tests.
        .target(
            name: "ThreadLabTesting",
            dependencies: [
                "CLab", "Text", "Histories", "Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Views",
                "Reports", "Exploration", "Authoring",
                "Supervision",
            ],
            swiftSettings: strict,
            // A fifth of a test program's size. From Swift 6.2 on, a package may give the linker an option, too, if others depend on it.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--compress-debug-sections=zlib"], .when(platforms: [.linux]))]),
        room("Costs", ["CBench", "Trace", "Execution", "Primitives"]),
        .executableTarget(name: "threadlab", dependencies: ["ThreadLabCommandLine"], swiftSettings: strict),
        .target(name: "CBench"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CBench", "Trace", "Machine", "Execution", "Primitives", "Exploration", "Authoring", "Scenarios",
                "LabSyntax", "LabProgram", "LabExecution", "Supervision", "Reports",
            ],
            swiftSettings: strict),

        .target(
            name: "Support",
            dependencies: [
                "CLab", "CPthread", "Text", "Trace", "Diagnosis", "Views", "Machine", "LabExecution", "Authoring",
            ],
            path: "Tests/Support",
            swiftSettings: strict),
        .target(name: "CSupport", path: "Tests/CSupport"),
        tests("TextTests", ["Text"]),
        tests("HistoriesTests", ["Histories"]),
        tests("LibraryTests", ["Library", "EngineDigest", "Support", "embed-files"]),
        tests("TraceTests", ["Text", "Trace", "Support"]),
        tests("DiagnosisTests", ["Trace", "Diagnosis", "Support"]),
        tests("PlayTests", ["Text", "Trace", "Play", "PlayScreen", "Support"]),
        tests("ViewsTests", ["Trace", "Diagnosis", "Views", "Support"]),
        tests(
            "ReportsTests",
            [
                "Text", "Trace", "Machine", "Diagnosis", "Views", "Exploration", "Reports", "LabSyntax", "LabProgram",
                "LabExecution", "Support", "embed-files",
            ]),
        tests("ExecutionTests", ["Trace", "Machine", "Execution", "CLab", "Support"]),
        tests("ArgumentsTests", ["Text", "Arguments"]),
        tests("CourseTests", ["Trace", "Machine", "LabSyntax", "Supervision", "Course"]),
        tests(
            "LabLanguageTests",
            [
                "Text", "Recipes", "Trace", "Machine", "Execution", "Exploration", "Authoring", "Scenarios",
                "Diagnosis",
                "LabSyntax", "LabProgram", "LabExecution", "LabEditing", "Support",
            ]),
        tests("CompiledExecutionTests", ["CCompiled", "Machine", "Exploration", "CompiledExecution"]),
        tests("DebugInformationTests", ["DebugInformation"]),
        tests("LitmusTests", ["Machine", "LabSyntax", "LabProgram", "CLitmus", "Litmus", "Support"]),
        tests("JudgingTests", ["LabSyntax", "LabProgram", "Judging", "Support"]),
        tests(
            "ScenariosTests",
            [
                "Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Exploration", "Authoring", "Scenarios",
                "Supervision", "Support",
            ]),
        tests(
            "SupervisionTests",
            [
                "CLab", "CSupport", "Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Exploration",
                "Authoring", "Scenarios", "Supervision", "LabSyntax", "LabProgram", "LabExecution", "Support",
            ]),
        tests("MachineTests", ["Trace", "Machine"]),
        tests(
            "ExplorationTests",
            [
                "Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Exploration", "LabSyntax", "LabProgram",
                "LabExecution", "Support",
            ]),
        // An independent judge of small programs, and what it needs: generators, and the engines that it judges.
        .target(
            name: "Arbiter",
            dependencies: ["Trace", "Machine", "Exploration", "LabSyntax", "LabProgram", "LabExecution"],
            path: "Tests/Arbiter", swiftSettings: strict),
        tests("ArbiterTests", ["Arbiter", "Trace", "Machine", "Exploration", "LabExecution", "Support"]),
        tests("ControlledTests", ["CSupport", "Trace", "Machine", "Execution", "Primitives", "Exploration"]),
        tests(
            "ConformanceTests",
            ["Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Exploration", "Supervision", "Support"]),
        tests(
            "ThreadLabTestingTests",
            [
                "Histories", "Machine", "Exploration", "Authoring", "Scenarios", "Supervision", "ThreadLab",
                "ThreadLabTesting", "ThreadLabTypes", "ThreadLabPthread", "Support",
            ]),
        .executableTarget(
            name: "lab-plugin", dependencies: ["ThreadLabCommandLine"], path: "Tests/Plugin", swiftSettings: strict),
        // What docs/foundation.md says of Foundation, shown.
        .executableTarget(name: "foundation-on-linux", path: "Tests/Foundation", swiftSettings: strict),
        // The programs that they start are built with them, and need not be compiled before. Not optimized: the work is
        // done by other processes, and no other room of tests takes as long to compile.
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Text", "Trace", "Execution", "Exploration", "Diagnosis", "Authoring", "Scenarios", "Support",
            ],
            swiftSettings: strict + [.unsafeFlags(["-Onone"])]),
    ],
    swiftLanguageModes: [.v6]
)
