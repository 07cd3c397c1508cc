import CBench
import Trace

/// The cost of recording one event, compared with that of reading the clock alone.
enum RecordingBenchmarks {
    static func run() throws {
        let memory = try RecordingMemory(.anonymous)
        let recorder = Recorder(memory: memory)
        let reader = try RecordingReader(attachingTo: memory, maximumEvents: 1000)
        let lane = recorder.makeLane()
        recorder.declareThread(0, name: "main")
        let site = SourceSite(#fileID, #line)
        var document = TraceDocument(header: TraceHeader(scenario: "benchmark", runtime: .native))
        try Benchmark(
            title: "one event", count: 500_000,
            contenders: [
                Contender(name: "the clock alone (\(recorder.clock == .ticks ? "TSC" : "clock_gettime"))") { count in
                    recorder.clock == .ticks ? cbench_ticks(UInt64(count)) : cbench_clock(UInt64(count))
                },
                Contender(name: "clock_gettime") { cbench_clock(UInt64($0)) },
                Contender(name: "recorded event, clock included") { count in
                    let time = nanoseconds {
                        for value in 0..<count {
                            lane.append(.cellRead, thread: 0, object: 0, value: Int64(value), site: site)
                        }
                    }
                    reader.drain(into: &document, final: true)
                    return time
                },
            ]
        ).run()
    }
}
