import Authoring
import Reports
import Scenarios
import Supervision
import Trace

/// The time per event of exporting a trace for other viewers. The trace is in memory, and the output is discarded.
enum ExportBenchmarks {
    static func run() throws {
        try measure(
            "exports of a native run", items: 50_000,
            [
                ("saved trace", { TraceWriter.write($0, to: &$1) }),
                ("Perfetto", { PerfettoTrace.write($0, to: &$1) }),
                ("ShiViz", { ShiVizLog.write($0, to: &$1) }),
                ("SVG, every row", { LaneDrawing.write($0, ReportOptions.allRows, to: &$1) }),
            ])
        try measure(
            "a page of some 10,000 events", items: 900,
            [
                ("HTML", { PageReport($0).write(to: &$1) }),
                ("SVG, every row", { LaneDrawing.write($0, ReportOptions.allRows, to: &$1) }),
            ])
    }

    private static func measure(
        _ title: String, items: Int, _ writers: [(String, (TraceDocument, inout ByteSink) -> Void)]
    ) throws {
        // The time limit is ten minutes.
        let trace = try Supervisor.run(RunPlan(scenario(items), .native, timeout: 600_000_000_000)).trace
        let count = trace.events.count
        let contenders = writers.map { name, write in
            Contender(name: name) { _ in
                nanoseconds {
                    var sink = ByteSink { _ in }
                    write(trace, &sink)
                }
            }
        }
        try Benchmark(title: "\(title): \(count) events", count: count, rounds: 5, contenders: contenders).run()
    }

    private static func scenario(_ items: Int) -> ScenarioProgram {
        let scenario = Catalogue.builtIn.first { $0.name == "producer-consumer" }!.init()
        for (name, value) in [("producers", 2), ("consumers", 2), ("items", items / 2), ("capacity", 16)] {
            precondition(scenario.set(name, to: "\(value)", beyondRange: true), "no parameter \(name)")
        }
        return ScenarioProgram(scenario)
    }
}

extension ReportOptions {
    /// Options with which repeated cycles are shown in full.
    fileprivate static var allRows: ReportOptions {
        var options = ReportOptions()
        options.foldsCycles = false
        return options
    }
}
