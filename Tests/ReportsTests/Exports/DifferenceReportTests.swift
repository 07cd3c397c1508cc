import Support
import Testing
import Trace

@testable import Reports

@Suite struct DifferenceReportTests {
    private static let other: TraceDocument = {
        var trace = Script(
            """
            main    thread.create first   :20
            main    thread.create second  :26
            first   thread.start
            first   mutex.acquire a 1     :41
            main    thread.join-wait first :32
            second  thread.start
            second  mutex.wait a          :47
            first   mutex.acquire b 1     :42
            """, scenario: "deadlock", runtime: .controlled, file: "Scenarios/Deadlock.swift"
        ).trace
        trace.header.parameters = [.init(name: "order", value: "same")]
        return trace
    }()

    private func report(_ here: TraceDocument, _ there: TraceDocument, width: Int = 120) -> DifferenceReport {
        DifferenceReport(here, there, titles: ("one", "two"), ReportOptions(width: width))
    }

    private func text(_ here: TraceDocument, _ there: TraceDocument, width: Int = 120) -> String {
        ByteSink.collect { report(here, there, width: width).write(to: &$0) }
    }

    @Test func `the first difference is marked and explained, whatever the lines`() {
        let text = text(.abba, Self.other)
        #expect(
            text.contains(
                "Until step 6 the same; then here second locks b (Deadlock.swift:27), there second waits for a"))
        let marked = text.split(separator: "\n").filter { $0.hasPrefix("▶") }
        #expect(marked.count == 1 && marked[0].contains("lock b") && marked[0].contains("waits for a"))
    }

    @Test func `where there is no room for two sides, they are one after the other`() {
        let text = text(.abba, Self.other, width: 60)
        let marked = text.split(separator: "\n").filter { $0.hasPrefix("▶") }
        #expect(marked.count == 2 && marked[0].contains("lock b") && marked[1].contains("waits for a"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 60 })
    }

    @Test(arguments: [60, 80, 95, 100, 200]) func `no line is wider than the terminal`(width: Int) {
        for line in text(.hostile, .abba.judged(), width: width).split(separator: "\n") {
            #expect(Label(safe: line).width <= width, "\(line)")
        }
    }

    @Test func `the same run is the same, and says how it ended`() {
        let trace = TraceDocument.abba.judged()
        #expect(report(trace, trace).areSame)
        #expect(text(trace, trace).contains("The two runs are the same, 9 steps.\nBoth end: first and second"))
    }

    @Test func `a run that ends earlier has no more steps`() {
        var short = TraceDocument.abba
        short.events.removeLast(2)
        #expect(!report(.abba, short).areSame)
        #expect(
            text(.abba, short).contains("here first waits for b (Deadlock.swift:22), there the run has no more steps."))
    }

    @Test func `only the surroundings of the difference are shown, unless all is wanted`() {
        let lines = (0..<40).map { "main cell.write count \($0)" }
        let (here, there) = (
            Script.trace(lines.joined(separator: "\n")),
            Script.trace((lines.dropLast(10) + ["main note \"x\""]).joined(separator: "\n"))
        )
        let text = text(here, there)
        #expect(text.contains("24 steps the same") && !text.contains("count = 3 "))
        var options = ReportOptions(width: 120)
        options.foldsCycles = false
        let all = ByteSink.collect { DifferenceReport(here, there, titles: ("", ""), options).write(to: &$0) }
        #expect(all.contains("write count = 3 ") && !all.contains("steps the same"))
    }

    @Test func `verbs have their endings`() {
        let sentence = StepSentence(Cast(.handOver, ReportOptions()))
        let texts = TraceDocument.handOver.events.enumerated().map { sentence.text($1, at: $0) }
        #expect(texts.contains("consumer locks m") && texts.contains("consumer waits for changed"))
        #expect(texts.contains("producer ends") && texts.contains("producer signals changed"))
    }
}
