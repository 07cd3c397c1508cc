import Glibc

// Measures, and prints medians. docs/performance.md says what the figures were where, and what they are to be.
// With arguments: only the parts so named (native, recording, detection, controlled, lab, search, exploration,
// start-up); sct is one that is only made when it is named.
let parts = CommandLine.arguments.dropFirst()
if parts == ["sct"] {
    try BugTable.run()
    exit(0)
}
print("threadlab benchmarks: medians of interleaved rounds; compare ratios, not machines")
if parts.isEmpty || parts.contains("native") { try NativeBenchmarks.run() }
if parts.isEmpty || parts.contains("recording") { try RecordingBenchmarks.run() }
if parts.isEmpty || parts.contains("detection") { try DetectionBenchmarks.run() }
if parts.isEmpty || parts.contains("controlled") { try ControlledBenchmarks.run() }
if parts.isEmpty || parts.contains("lab") {
    try LabBenchmarks.run()
    try LabReadingBenchmark.run()
}
if parts.isEmpty || parts.contains("search") { try SearchBenchmarks.run() }
if parts.isEmpty || parts.contains("exploration") { try ExplorationBenchmarks.run() }
if parts.isEmpty || parts.contains("start-up") { try StartUpBenchmark.run() }
if parts.contains("profile") { ControlledBenchmarks.profile() }
if parts.first == "profile-lab" { try ExplorationBenchmarks.profile(parts.dropFirst().joined(separator: " ")) }
