// Measures, and prints medians. docs/performance.md says what the figures were where, and what they are to be.
print("threadlab benchmarks: medians of interleaved rounds; compare ratios, not machines")
try NativeBenchmarks.run()
try RecordingBenchmarks.run()
try ControlledBenchmarks.run()
