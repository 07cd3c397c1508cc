import Support
import Testing
import Text
import Trace

@testable import Reports

/// A run in progress, as lines.
@Suite struct LiveViewTests {
    private static let usual = ScreenSize(rows: 24, columns: 80)

    /// A view of the trace's first events.
    private static func view(_ trace: TraceDocument, _ count: Int = .max, ascii: Bool = false) -> LiveView {
        var view = LiveView(color: false, ascii: ascii)
        view.consume(trace.events.prefix(count))
        return view
    }

    // MARK: - Threads

    @Test func `says what each thread does, since when, and what it holds`() {
        let trace = TraceDocument.abba
        let lines = Self.view(trace).threads(trace, at: 2_500_000_000, on: Self.usual)
        #expect(lines.count == 4)
        #expect(lines[0] == "2.5 s: 3 threads, 9 events")
        #expect(lines[2] == " first     2.5 s  waits for b at line 22, which second holds; holds a")
        #expect(lines[3] == " second    2.5 s  waits for a at line 28, which first holds; holds b")
    }

    @Test func `a wait is as long as the time since it began`() {
        let trace = Script.trace("main thread.create w\nw thread.start\nmain thread.join-wait w :4\nw thread.sleep 5")
        let lines = Self.view(trace).threads(trace, at: 2_000 + 700_000_000, on: Self.usual)
        #expect(lines[1] == " main    0.7 s  waits at line 4 for w to end")
        #expect(lines[2] == " w       0.7 s  sleeps")
    }

    @Test func `a thread that has ended has no line`() {
        let trace = Script.trace("main thread.create w\nw thread.start\nw thread.exit")
        let lines = Self.view(trace).threads(trace, at: 0, on: Self.usual)
        #expect(lines == ["0.0 s: 1 thread (1 ended), 3 events", " main    0.0 s  runs"])
    }

    /// Thirty threads of which one holds a lock, and the others wait for it.
    private static let crowd = Script.trace(
        (1...30).map { "main thread.create w\($0)\nw\($0) thread.start\n" }.joined()
            + "w17 mutex.acquire m\n" + (1...30).filter { $0 != 17 }.map { "w\($0) mutex.wait m\n" }.joined())

    @Test func `of many threads the one that all wait for comes first, and the rest is counted`() {
        let lines = Self.view(Self.crowd).threads(Self.crowd, at: 0, on: Self.usual)
        #expect(lines.count == 12)
        #expect(lines[1].hasPrefix(" w17 ") && lines[1].hasSuffix("runs; holds m"))
        #expect(lines[2].contains(" w1 "))
        #expect(lines[11] == " and 21 more: 20 wait, 1 runs")
    }

    @Test(arguments: [(1, 80), (2, 80), (3, 10), (4, 2), (24, 40), (100, 300), (24, 81)])
    func `lines fit into any screen, with room for the cursor`(rows: Int, columns: Int) {
        let size = ScreenSize(rows: rows, columns: columns)
        for trace in [Self.crowd, .abba, Script.trace("main note \"日本語\"")] {
            var view = Self.view(trace)
            let threads = view.threads(trace, at: 1, on: size)
            #expect(threads.count <= max(1, rows - 1) && !threads.isEmpty)
            let steps = view.steps(trace, at: 1, on: size, isLast: true)
            #expect(steps.count <= rows + 1)
            for line in threads + steps {
                #expect(line.unicodeScalars.reduce(0) { $0 + $1.columns } < columns, "\(line)")
            }
        }
    }

    // MARK: - Steps

    @Test func `steps are rows of lanes with their time`() {
        let trace = Script.trace(
            "main thread.create w :3\nw thread.start\nw mutex.acquire m :5\nmain mutex.wait m :7\nw thread.exit")
        var view = Self.view(trace)
        let expected = [
            "  0.000  ●           main  create w                                  :3",
            "  0.000  │  ●        w     start",
            "  0.000  │  ●        w     lock m                                    :5",
            "  0.000  ┆  │        main  waits for m                               :7",
            "  0.000  ┆  ■        w     end",
        ]
        #expect(view.steps(trace, at: 5_000, on: Self.usual) == expected)
        #expect(view.steps(trace, at: 6_000, on: Self.usual).isEmpty)
    }

    @Test func `lanes are used again by threads that come later`() {
        let script = (1...50).map { "main thread.create w\($0)\nw\($0) thread.start\nw\($0) thread.exit\n" }.joined()
        let trace = Script.trace(script)
        var view = Self.view(trace)
        let last = view.steps(trace, at: 1, on: Self.usual, isLast: true).last
        #expect(last == "  0.000  │  ■        w50   end")
    }

    @Test func `of a busy run some steps in a row are shown, and the others counted`() {
        let trace = Script.trace((0..<400).map { "main cell.write x \($0)\n" }.joined())
        var view = LiveView(color: false, ascii: true)
        view.consume(trace.events.prefix(100))
        let first = view.steps(trace, at: 0, on: Self.usual)
        #expect(first.count == 25)
        #expect(first[0] == "      .  76 steps")
        #expect(first[1].contains("write x = 76") && first[24].contains("write x = 99"))
        view.consume(trace.events[100..<300])
        #expect(view.steps(trace, at: 100_000_000, on: Self.usual).isEmpty)
        let next = view.steps(trace, at: 600_000_000, on: Self.usual)
        #expect(next.count == 10)
        #expect(next[0] == "      .  191 steps" && next[9].contains("write x = 299"))
        view.consume(trace.events[300...])
        #expect(view.steps(trace, at: 600_000_001, on: Self.usual, isLast: true).count == 25)
    }

    @Test func `an endless run needs no more memory, and no step is forgotten in the count`() throws {
        let trace = Script.trace((0..<1000).map { "main cell.write x \($0)\n" }.joined())
        var view = LiveView(color: false, ascii: true)
        for _ in 0..<50 { view.consume(trace.events[...]) }
        let steps = view.steps(trace, at: 0, on: Self.usual)
        #expect(steps[0] == "      .  49,976 steps")
        #expect(view.threads(trace, at: 0, on: Self.usual)[0] == "0.0 s: 1 thread, 50,000 events")
        #expect(view.pendingCount == 0)
        for _ in 0..<50 { view.consume(trace.events[...]) }
        #expect(view.pendingCount <= 4096)
    }

    @Test func `names cannot move the cursor`() {
        var trace = TraceDocument.abba
        trace.threads[1].name = "\u{1B}[2Jfirst\u{202E}"
        trace.objects[1]?.name = "a\nb\u{7}"
        for ascii in [false, true] {
            var view = Self.view(trace, ascii: ascii)
            let lines =
                view.threads(trace, at: 1, on: Self.usual) + view.steps(trace, at: 1, on: Self.usual, isLast: true)
            for scalar in lines.joined().unicodeScalars {
                #expect(scalar.value >= 32 && !(0x7F...0x9F).contains(scalar.value) && scalar != "\u{202E}")
                #expect(!ascii || scalar.isASCII)
            }
        }
    }
}
