// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// A room of the house (docs/ARCHITECTURE.md). Its dependencies are the arrows, and run one way only.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "threadlab",
    products: [
        .executable(name: "threadlab", targets: ["threadlab"]),
        .library(name: "ThreadLab", targets: ["ThreadLab"]),
    ],
    targets: [
        .systemLibrary(
            name: "CPthread", pkgConfig: "pthread-stubs", providers: [.apt(["libpthread-stubs0-dev"])]),
        .systemLibrary(name: "CContext", providers: [.apt(["libboost-context-dev"])]),
        .target(name: "CLab"),

        room("Trace", ["CLab", "CPthread"]),
        room("Machine", ["Trace"]),
        .target(
            name: "Execution", dependencies: ["Trace", "Machine", "CLab", "CPthread", "CContext"],
            swiftSettings: strict,
            // Not in the module map: what stands there the linker of a link-time optimisation does not find.
            linkerSettings: [.linkedLibrary(":libboost_context.a")]),
        room("Primitives", ["CPthread", "Trace", "Machine", "Execution"]),
        room("Diagnosis", ["Trace"]),
        room("Reports", ["Trace", "Diagnosis"]),
        room("Exploration", ["Trace", "Machine"]),
        room("Scenarios", ["Trace", "Machine", "Execution", "Primitives"]),
        room("Arguments"),
        room("LabLanguage", ["Trace", "Machine", "Arguments", "Execution", "Scenarios"]),
        room(
            "Supervision",
            [
                "CLab", "Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Exploration", "Scenarios",
            ]),
        room(
            "ThreadLab",
            [
                "CLab", "Supervision",
                "Arguments", "Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Reports", "Exploration",
                "Scenarios", "LabLanguage",
            ]),
        .executableTarget(name: "threadlab", dependencies: ["ThreadLab"], swiftSettings: strict),
        .target(name: "CBench"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CBench", "Trace", "Machine", "Execution", "Primitives", "Exploration", "Scenarios", "LabLanguage",
                "Supervision",
            ],
            swiftSettings: strict),

        .target(name: "Support", dependencies: ["Trace"], path: "Tests/Support", swiftSettings: strict),
        tests("TraceTests", ["Trace", "Support"]),
        tests("DiagnosisTests", ["Trace", "Diagnosis", "Support"]),
        tests("ReportsTests", ["Trace", "Diagnosis", "Reports", "Support"]),
        tests("ExecutionTests", ["Trace", "Machine", "Execution", "CLab"]),
        tests("ArgumentsTests", ["Arguments"]),
        tests(
            "LabLanguageTests",
            ["Trace", "Machine", "Execution", "Exploration", "Scenarios", "Diagnosis", "LabLanguage", "Support"]),
        tests(
            "ScenariosTests",
            ["Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Exploration", "Scenarios"]),
        tests("SupervisionTests", ["Trace", "Diagnosis", "Scenarios", "Supervision", "Support"]),
        tests("MachineTests", ["Trace", "Machine"]),
        tests(
            "ExplorationTests",
            ["Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Exploration", "LabLanguage", "Support"]),
        tests("ControlledTests", ["Trace", "Machine", "Execution", "Primitives", "Exploration"]),
        tests(
            "ConformanceTests", ["Trace", "Machine", "Execution", "Primitives", "Diagnosis", "Exploration"]),
        .executableTarget(
            name: "lab-plugin", dependencies: ["ThreadLab"], path: "Tests/Plugin", swiftSettings: strict),
        tests(
            "CommandLineTests", ["threadlab", "lab-plugin", "Trace", "Diagnosis", "Scenarios", "Support"],
            exclude: ["Golden"]),
    ],
    swiftLanguageModes: [.v6]
)
