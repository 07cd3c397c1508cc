import Support
import Testing
import Trace

@testable import Reports

@Suite struct RunGraphTests {
    private func text(_ kind: RunGraph.Kind, _ trace: TraceDocument) -> String {
        ByteSink.collect { sink in RunGraph(kind, of: trace)?.write(to: &sink) }
    }

    @Test func `a deadlock is a marked cycle of threads and locks`() throws {
        let graph = try #require(RunGraph(.waits, of: .abba))
        let marked = graph.edges.filter(\.isMarked).map { "\($0.from) -> \($0.to)" }
        #expect(Set(marked) == ["o1 -> t1", "t1 -> o2", "o2 -> t2", "t2 -> o1"])
        #expect(graph.edges.contains { $0.from == "t0" && $0.to == "t1" && !$0.isMarked })
        #expect(text(.waits, .abba).contains("label=\"waits Deadlock.swift:22\""))
        #expect(graph.remark == "red: a cycle")
    }

    @Test func `a run in which no thread waits at the end says so`() throws {
        #expect(RunGraph(.waits, of: .handOver)?.remark == "no thread waits at the end of the run")
        #expect(RunGraph(.locks, of: .handOver)?.remark == "no thread got a lock while it held another")
    }

    @Test func `locks in opposite orders are a marked cycle`() throws {
        let trace = Script.trace(
            """
            main  thread.create first
            main  thread.create second
            first mutex.acquire a 1   :1
            first mutex.acquire b 1   :2
            first mutex.release b
            first mutex.release a
            second mutex.acquire b 2  :3
            second mutex.acquire a 2  :4
            second mutex.acquire c 1  :5
            """)
        let graph = try #require(RunGraph(.locks, of: trace))
        #expect(graph.nodes.filter(\.isMarked).map(\.lines) == [["a"], ["b"]])
        #expect(graph.edges.count == 4 && graph.edges.count(where: \.isMarked) == 2)
        #expect(text(.locks, trace).contains("first Test.swift:1 \u{2192} Test.swift:2"))
    }

    @Test func `a race is two steps with no path between them`() throws {
        let trace = Script.trace(
            """
            main  thread.create first
            first thread.start
            first mutex.acquire m 1
            first cell.write count 1  :5
            first mutex.release m
            main  mutex.acquire m 2
            main  mutex.release m
            main  cell.read count 1   :9
            first cell.write count 2  :6
            """)
        let graph = try #require(RunGraph(.order, of: trace))
        let race = graph.nodes.filter(\.isMarked)
        #expect(race.map { $0.lines.last } == ["Test.swift:9", "Test.swift:6"])
        var reached: Set = [race[0].id]
        for _ in graph.nodes {
            for edge in graph.edges where reached.contains(edge.from) && !edge.isUndirected { reached.insert(edge.to) }
        }
        #expect(!reached.contains(race[1].id))
        #expect(graph.edges.contains { $0.lines == ["before"] && $0.to == "e5" }, "the mutex orders")
    }

    @Test func `a flag that orders nothing is no path between the accesses of a race`() throws {
        let trace = Script.trace(
            """
            main  thread.create writer
            main  thread.create reader
            writer thread.start
            reader thread.start
            writer cell.write data 1   :5
            writer atomic.store flag 1 relaxed :6
            reader atomic.load flag 1 acquire :8
            reader cell.read data 1    :9
            """)
        let graph = try #require(RunGraph(.order, of: trace))
        let flag = try #require(graph.edges.first { $0.from == "e5" })
        #expect(flag.to == "e6" && flag.lines == ["read, without order"] && flag.isDotted)
        #expect(graph.edges.filter { $0.lines == ["before"] }.map(\.to) == ["e2", "e3"])
    }

    @Test func `a run without a race has no such graph`() {
        #expect(RunGraph(.order, of: .handOver) == nil)
    }

    @Test func `reads come from their writes, dashed if they are not the newest, and writes are in modification order`()
        throws
    {
        let graph = try #require(
            RunGraph(
                .reads,
                of: .weak(
                    """
                    a atomic.store x 1 relaxed :1
                    a atomic.store x 2 relaxed :2
                    b memory.behind x 1 :3
                    b atomic.load x 1 relaxed :3
                    b memory.before x 1 :4
                    b atomic.store x 3 relaxed :4
                    b memory.fence acqRel :5
                    """)))
        func edges(_ line: String) -> [String] {
            graph.edges.filter { $0.lines == [line] }.map { "\($0.from) -> \($0.to)\($0.isDashed ? " dashed" : "")" }
        }
        #expect(edges("reads") == ["e1 -> e4 dashed"])
        #expect(edges("then") == ["o1 -> e1", "e1 -> e6", "e6 -> e2"])
        #expect(graph.nodes.map { $0.lines.first } == ["a", "a", "b", "b", "b", "x"])
    }

    @Test(arguments: RunGraph.Kind.allCases) func `names mean nothing to Graphviz`(kind: RunGraph.Kind) {
        var trace = TraceDocument.abba
        trace.threads[1].name = "a\"]; b [label=\"\\"
        trace.objects[1]?.name = "x\ny"
        for line in text(kind, trace).split(separator: "\n") where line.contains("b [label") {
            #expect(line.contains(#"a\"]; b [label=\"\\"#))
        }
    }
}
