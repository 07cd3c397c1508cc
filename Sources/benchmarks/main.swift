import Glibc

// Measures threadlab. Most parts print medians. Tests/Benchmarks/README.md has the measured figures and the targets.
// Arguments name the parts to run (native, measured, queues, recording, detection, controlled, repetition, lab, search,
// exploration, exports, start-up); without arguments, all of these run. Other parts run only alone: `sct` and `sct
// spread`, and `walk`, which can be followed by a part of the names of the programs to run.
let parts = CommandLine.arguments.dropFirst()
if parts == ["sct"] {
    try BugTable.run()
    exit(0)
}
if parts == ["sct", "spread"] {
    try BugSpread.run()
    exit(0)
}
if parts.first == "walk" {
    try ExplorationBenchmarks.walk(parts.dropFirst().joined(separator: " "))
    exit(0)
}
print("threadlab benchmarks: medians of interleaved rounds; compare ratios, not machines")
if parts.isEmpty || parts.contains("native") { try NativeBenchmarks.run() }
if parts.isEmpty || parts.contains("measured") { try MeasuredBenchmarks.run() }
if parts.isEmpty || parts.contains("queues") { try QueueBenchmarks.run() }
if parts.isEmpty || parts.contains("recording") { try RecordingBenchmarks.run() }
if parts.isEmpty || parts.contains("detection") { try DetectionBenchmarks.run() }
if parts.isEmpty || parts.contains("controlled") { try ControlledBenchmarks.run() }
if parts.isEmpty || parts.contains("repetition") { try RepetitionBenchmark.run() }
if parts.isEmpty || parts.contains("lab") {
    try LabBenchmarks.run()
    try LabReadingBenchmark.run()
}
if parts.isEmpty || parts.contains("search") { try SearchBenchmarks.run() }
if parts.isEmpty || parts.contains("exploration") { try ExplorationBenchmarks.run() }
if parts.isEmpty || parts.contains("exports") { try ExportBenchmarks.run() }
if parts.isEmpty || parts.contains("start-up") { try StartUpBenchmark.run() }
