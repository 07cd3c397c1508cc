import Diagnosis
import Support
import Testing
import Text
import Trace
import Views

@testable import Reports

/// What a trace asks of a report is bounded, whatever its names are and however many it has of everything. No time is measured: what is
/// written and kept is counted.
@Suite struct BoundTests {
    private static let long = String(repeating: "x", count: 100_000)

    /// Names, places and texts of 100,000 characters.
    private static var longNames: TraceDocument {
        let rounds = (0..<200).map {
            "w\($0 % 9) mutex.acquire m\($0 % 9) 1 :\($0)\nw\($0 % 9) mutex.release m\($0 % 9)\n"
        }
        var trace = Script.trace(rounds.joined() + "main note \"a\"\n")
        for index in trace.threads.indices { trace.threads[index].name += long }
        for index in trace.objects.indices { trace.objects[index]?.name += long }
        for index in trace.sites.indices { trace.sites[index]?.file = "a/\(long)\(index).c" }
        trace.texts = [long]
        trace.header.scenario = long
        return trace.judged()
    }

    @Test(arguments: [ReportFormat.text, .lanes])
    func `a report has a part of a name of a hundred thousand characters`(format: ReportFormat) {
        let shown = Self.longNames.shown(as: format, .init(width: 1 << 20))
        #expect(shown.utf8.count < 3_000_000)
        #expect(shown.split(separator: "\n").allSatisfy { $0.utf8.count < 110_000 })
    }

    @Test func `an export has a part of a name of a hundred thousand characters`() {
        let trace = Self.longNames
        let findings = Examination.findings(in: trace)
        var options = ReportOptions()
        options.findings = findings
        let outputs = [
            ByteSink.collect { PageReport(trace, options).write(to: &$0) },
            ByteSink.collect { ShiVizLog.write(trace, to: &$0) },
            ByteSink.collect { LaneDrawing.write(trace, ReportOptions(), to: &$0) },
            ByteSink.collect { FilmStrip.write(trace, ReportOptions(), to: &$0) },
            ByteSink.collect { sink in RunGraph(.locks, of: trace)?.write(to: &sink) },
        ]
        for output in outputs { #expect(output.utf8.count < 2_500_000) }
    }

    // MARK: - Lists

    @Test func `a page lists only so many of the locks that a thread holds, and so many waiters`() throws {
        let count = 500
        let locks = (0..<count).map { "main mutex.acquire m\($0) 1\n" }.joined()
        let waiters = (0..<count).map { "w\($0) mutex.wait m0\n" }.joined()
        let trace = Script.trace(locks + waiters).judged()
        let page = try #require(ReadPage(ByteSink.collect { PageReport(trace).write(to: &$0) }))
        let held = page.data["threadStates"].items.map { $0.items[2].text }
        #expect(held.contains { $0.hasSuffix("m19, and \(count - 20) others") })
        #expect(held.allSatisfy { $0.utf8.count < 400 })
        let waiting = page.data["objectStates"].items.map { $0.items[2].text }
        #expect(waiting.contains { $0.hasSuffix("w19, and \(count - 20) others") })
        // Each of them is a state of its own, though the words of its beginning are the same.
        #expect(page.data["threadStates"].items.count > count)
    }

    @Test func `a graph of very many arrows shows those of the cycle, and the first of the others`() throws {
        let count = 300
        let ring = (0..<2).map { "w\($0) mutex.acquire r\($0) 1 :1\nw\($0) mutex.acquire r\(1 - $0) 1 :2\n" }
        let free = "w0 mutex.release r1\nw0 mutex.release r0\n"
        let locks = (0..<count).map { "main mutex.acquire m\($0) 1\n" }.joined()
        let trace = Script.trace("main thread.create w0\nmain thread.create w1\n" + ring[0] + free + ring[1] + locks)
        let graph = try #require(RunGraph(.locks, of: trace))
        #expect(graph.edges.count == 2000 && graph.edges.count(where: \.isMarked) == 2)
        let all = count * (count - 1) / 2 + 2
        #expect(graph.remark?.contains("too large to draw: 2,000 of \(all.grouped) arrows") == true)
        let names = Set(graph.nodes.map(\.id))
        #expect(graph.edges.allSatisfy { names.contains($0.from) && names.contains($0.to) })
    }

    @Test func `a graph of very many waiting threads is drawn in part`() throws {
        let count = 3000
        let waits = (0..<count).map { "w\($0) mutex.wait m\n" }.joined()
        let graph = try #require(RunGraph(.waits, of: Script.trace("main mutex.acquire m 1\n" + waits)))
        #expect(graph.edges.count == 2000 && graph.nodes.count <= 2002)
        #expect(graph.remark?.contains("2,000 of 3,001 arrows") == true)
    }

    // MARK: - Exports

    private static func steps(_ count: Int) -> TraceDocument {
        var trace = Script.trace("main cell.write x 0 :1\nw cell.read x 0 :2")
        let (first, second) = (trace.events[0], trace.events[1])
        trace.events = (0..<count).map { $0 % 2 == 0 ? first : second }
        return trace.judged()
    }

    @Test func `a log and a trace for other viewers end at their limit, and tell what they lack`() {
        let trace = Self.steps(1000)
        var omitted = 0
        let log = ByteSink.collect { omitted = ShiVizLog.write(trace, to: &$0, upTo: 5_000) }
        #expect((1...999).contains(omitted) && log.utf8.count < 5_200 && log.hasSuffix("\n"))
        #expect(log.split(separator: "\n").count == 1000 - omitted + 1)
        var sink = ByteSink()
        omitted = PerfettoTrace.write(trace, to: &sink, upTo: 5_000)
        #expect((1...999).contains(omitted) && sink.count < 6_000)
        #expect(String(decoding: sink.bytes, as: UTF8.self).contains("(\(omitted) events before that not shown)"))
        let whole = ByteSink.collect { omitted = ShiVizLog.write(trace, to: &$0) }
        #expect(omitted == 0 && whole.utf8.count > 5_200)
    }

    @Test func `a drawing of all rows has only so many, and names no option that shows more`() {
        var options = ReportOptions()
        options.foldsCycles = false
        let drawing = ByteSink.collect { LaneDrawing.write(Self.steps(30_000), options, to: &$0) }
        #expect(drawing.contains("10,001 steps are left out") || drawing.contains("10,000 steps are left out"))
        #expect(!drawing.contains("--all"))
    }

    @Test func `a part of a trace says in each view that it is one`() throws {
        var trace = Self.steps(10)
        trace.omitted = 90
        #expect(trace.shown(as: .text).contains("Not shown: 90 later events"))
        #expect(trace.shown(as: .lanes).contains("Not shown: 90 later events"))
        let page = ByteSink.collect { PageReport(trace).write(to: &$0) }
        #expect(page.contains("its first 10 events"))
        let drawing = ByteSink.collect { LaneDrawing.write(trace, ReportOptions(), to: &$0) }
        #expect(drawing.contains("test, its first 10 events"))
        #expect(try #require(RunGraph(.locks, of: trace)).title == "test, its first 10 events")
        var sink = ByteSink()
        PerfettoTrace.write(trace, to: &sink)
        #expect(String(decoding: sink.bytes, as: UTF8.self).contains("test, its first 10 events"))
    }

    // MARK: - Pages

    private static func limits(steps: Int = .max, looks: Int = .max) -> PageWindow.Limits {
        var limits = PageWindow.Limits()
        (limits.steps, limits.looks) = (steps, looks)
        return limits
    }

    @Test func `a page of very many steps has the last ones`() {
        let trace = Self.steps(100)
        let all = Array(trace.events.indices)
        #expect(PageWindow(trace, all, within: Self.limits()).steps == all)
        let window = PageWindow(trace, all, within: Self.limits(steps: 10))
        #expect(window.steps == Array(90..<100) && window.begin == 90)
        // Nothing waits: each event is one look.
        #expect(PageWindow(trace, all, within: Self.limits(looks: 20)).steps.count == 21)
        #expect(PageWindow(trace, [], within: Self.limits()).steps == [])
    }

    @Test func `a step beside many threads that wait counts as many`() {
        let waits = (0..<50).map { "w\($0) mutex.wait m\n" }.joined()
        let turns = String(repeating: "main cell.write x 1\n", count: 50)
        let trace = Script.trace("main mutex.acquire m 1\n" + waits + turns)
        let window = PageWindow(trace, Array(trace.events.indices), within: Self.limits(looks: 51 * 10))
        #expect(window.steps.count == 11)
    }

    @Test func `a page that begins in the middle of a run shows what is so there`() throws {
        for trace in [TraceDocument.abba, .handOver] {
            let cast = Cast(trace, ReportOptions())
            let steps = trace.rows(trace.roles().all)
            let model = RunModel(trace)
            let whole = try words(PageChanges(model, steps: steps, after: 0, cast), trace)
            for first in 1..<steps.count {
                let begin = steps[first - 1] + 1
                let part = PageChanges(model, steps: Array(steps[first...]), after: begin, cast)
                let shown = Set(part.objects.map { cast.object($0).text })
                let expected = whole[first...].map { state in
                    state.filter { name, _ in trace.threads.contains { $0.name == name } || shown.contains(name) }
                }
                #expect(try words(part, trace) == Array(expected))
            }
        }
    }

    /// After each step, the words of each thread and object.
    private func words(_ changes: PageChanges, _ trace: TraceDocument) throws -> [[String: String]] {
        var sink = ByteSink()
        sink.writeObject { changes.write(to: &$0) }
        let data = try JSONReader.read(sink.bytes, sink.bytes.indices)
        let cast = Cast(trace, ReportOptions())
        var row = data["start"].items.map(\.number)
        var states: [[String: String]] = []
        for step in 0...changes.count {
            if step > 0 {
                let change = data["changes"].items[step - 1].items.map(\.number)
                for index in stride(from: 0, to: change.count, by: 2) { row[change[index]] = change[index + 1] }
            }
            var state: [String: String] = [:]
            for thread in trace.threads.indices {
                let words = data["threadStates"].items[row[3 * thread]].items.map(\.text)
                state[trace.threads[thread].name] = words.joined(separator: "|") + "|\(row[3 * thread + 1])"
            }
            for (place, object) in changes.objects.enumerated() {
                let number = row[3 * trace.threads.count + place]
                state[cast.object(object).text] =
                    data["objectStates"].items[number].items.map(\.text).joined(separator: "|")
            }
            states.append(state)
        }
        return states
    }
}
