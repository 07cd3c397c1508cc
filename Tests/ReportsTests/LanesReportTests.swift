import Reports
import Support
import Testing
import Trace

@Suite struct LanesReportTests {
    private static let deadlock = TraceDocument.abba.judged(guide: "Watch Out for Deadlocks and Livelocks")

    @Test
    func
        `the report draws a lane of marks for each thread and says each step in full, and shows which threads are blocked`()
    {
        let shown = Self.deadlock.shown(as: .lanes, .init(replay: "threadlab replay deadlock 0.1.2*3"))
        #expect(
            shown
                == """
                deadlock  order=opposite, controlled, seed 7

                \(TraceDocument.abbaVerdict)

                 1  ●        main    create first     :20
                 2  ●        main    create second    :26
                 3  │  ●     first   start
                 4  │  ●     first   lock a           :21
                 5  ┆  │     main    waits for first  :32
                 6  ┆  │  ●  second  start
                 7  ┆  │  ●  second  lock b           :27
                 8  ┆  ┆  │  first   waits for b      :22
                 9  ┆  ┆  ┆  second  waits for a      :28
                    ✗  ✗  ✗  blocked forever

                \(TraceDocument.abbaStory)

                """)
    }

    @Test
    func
        `the report puts its lanes closer to fit the width, and continues below with words that do not fit; in ASCII too`()
    {
        let shown = Self.deadlock.shown(as: .lanes, .init(width: 30, ascii: true))
        let drawing = shown.drawing
        #expect(
            drawing
                == """
                 1  *   main    create first
                 2  *   main    create second
                 3  |*  first   start
                 4  |*  first   lock a
                 5  :|  main    waits for
                    :|          first
                 6  :|* second  start
                 7  :|* second  lock b
                 8  ::| first   waits for b
                 9  ::: second  waits for a
                    !!! blocked forever
                """)
    }

    private static let filled = Script.trace(
        """
        main semaphore.acquire places :1
        main list.write buffer "[1]" :2
        main list.read table "[]" :3
        main semaphore.signal places :4
        """)

    @Test func `a row says what is in a list and how many permits are left`() {
        var trace = Self.filled
        trace.objects[1]?.permits = 1
        let shown = trace.shown(as: .lanes)
        let steps = ["take places (0 left)", "write buffer = [1]", "read table = []", "give places (1 left)"]
        for step in steps { #expect(shown.contains(step)) }
        let rows = trace.shown(as: .text).split(separator: "\n")
        #expect(rows.contains { $0.contains("semaphore.acquire  places") && $0.contains("0 left") })
        #expect(rows.contains { $0.contains("list.write") && $0.contains("[1]") })
        // An older trace does not say how many there were.
        #expect(Self.filled.shown(as: .lanes).contains("(0 left)") == false)
    }

    @Test func `the report draws waits that end, notes, and threads that end`() {
        #expect(
            TraceDocument.handOver.judged().shown(as: .lanes, .init(width: 100))
                == """
                hand-over  native

                 1  ●        main      create producer                   :5
                 2  ●        main      create consumer                   :9
                 3  │     ●  consumer  start
                 4  │     ●  consumer  lock m                            :20
                 5  │     ┆  consumer  waits for changed                 :21
                 6  │  ●  ┆  producer  start
                 7  │  ●  ┆  producer  lock m                            :12
                 8  │  ●  ┆  producer  write count = 1                   :13
                 9  │  ●  ┆  producer  signal changed                    :14
                10  │  ●  ┆  producer  "one is ready"                    :14
                11  │  ●  ┆  producer  unlock m                          :15
                12  │  ■  ┆  producer  end
                13  │     ●  consumer  woken by changed                  :21
                14  │     ●  consumer  read count = 1                    :22
                15  │     ●  consumer  unlock m                          :23
                16  │     ┆  consumer  waits for permits, at most 20 ms  :24
                17  │     ●  consumer  gives up permits                  :24
                18  │     ■  consumer  end 42
                19  ●        main      join producer                     :30
                20  ●        main      join consumer                     :31
                21  ■        main      exit

                completed: The run completed, with 3 threads and 23 events.

                """)
    }

    @Test func `the report draws thirty threads in eighty columns, and leaves nothing out`() {
        let script = (0..<29).map { "worker-\($0) mutex.acquire m 1 :\($0)" }.joined(separator: "\n")
        let rows = Script.trace(script).shown(as: .lanes, .init(width: 80)).drawing
            .split(separator: "\n")
        #expect(rows.count == 29)
        for (number, row) in rows.enumerated() {
            #expect(row.contains("worker-\(number) ") && row.contains("  lock m"))
            #expect(row.unicodeScalars.count <= 80)
            let mark = row.unicodeScalars.firstIndex(of: "●")
            #expect(mark.map { row.unicodeScalars.distance(from: row.unicodeScalars.startIndex, to: $0) } == number + 5)
        }
    }

    @Test func `the report gives the last threads one lane if there is no room for all`() {
        let script = (0..<8).map { "w\($0) mutex.acquire m 1 :\($0)" }.joined(separator: "\n")
        #expect(
            Script.trace(script).shown(as: .lanes, .init(width: 22))
                == """
                test  native

                 1  │●      w0  lock m
                 2  ││●     w1  lock m
                 3  │││●    w2  lock m
                 4  ││││●   w3  lock m
                 5  │││││●  w4  lock m
                 6  ││││││● w5  lock m
                 7  ││││││● w6  lock m
                 8  ││││││● w7  lock m

                cut off: The trace
                  ends before the run
                  does.

                """)
    }

    @Test func `the report shows a cycle once, and how often it repeats`() {
        let turn = "a atomic.load x 1 :7\nb atomic.load x 1 :9"
        let script = "a thread.start\n" + Array(repeating: turn, count: 12).joined(separator: "\n") + "\na thread.exit"
        let shown = Script.trace(script).shown(as: .lanes).drawing
        #expect(
            shown
                == """
                 1  │  ●     a  start
                 2  │  ●     a  read x = 1  :7
                 3  │  │  ●  b  read x = 1  :9
                 ⋮  the 2 steps above, 12 times
                26  │  ■  │  a  end
                """)
        let all = Script.trace(script).shown(as: .lanes, .with { $0.foldsCycles = false })
        #expect(all.drawing.split(separator: "\n").count == 26)
    }

    @Test(
        arguments: [2, 3, 10, 29, 30, 31])
    func `the report shows the beginning and the end of a long trace, and says how to see the rest`(most: Int) throws {
        let script = (0..<30).map { "a cell.write x \($0) :\($0)" }.joined(separator: "\n")
        let rows = Script.trace(script).shown(as: .lanes, .with { $0.mostRows = most }).drawing
            .split(separator: "\n")
        if most >= 30 {
            #expect(rows.count == 30)
            return
        }
        #expect(rows.count == most + 1)
        #expect(rows[most / 2] == " ⋮  \(30 - most) steps are left out: --all shows them")
        #expect(rows[0].hasPrefix(" 1  "))
        #expect(try #require(rows.last).hasPrefix("30  "))
    }

    @Test func `the report shows the line of source beside a step if asked`() {
        var options = ReportOptions(width: 60)
        options.showsCode = true
        options.source = { "line \($0.line) of the program, which is rather long" }
        let rows = Self.deadlock.shown(as: .lanes, options).drawing.split(separator: "\n")
        #expect(rows[0] == " 1  ●        main    create first     :20  line 20 of the p…")
        #expect(rows[2] == " 3  │  ●     first   start")
    }

    @Test(arguments: Array(-5...130))
    func `the report keeps its drawing within any width`(width: Int) {
        for trace in [Self.deadlock, .hostile, .handOver] {
            let drawing = trace.shown(as: .lanes, .init(width: width, ascii: true)).drawing
            #expect(drawing.split(separator: "\n").allSatisfy { $0.utf8.count <= max(width, 20) })
        }
    }

    @Test func `the report draws a trace with nothing in it`() {
        let trace = TraceDocument(header: TraceHeader(scenario: "empty", runtime: .controlled))
        #expect(trace.shown(as: .lanes).hasSuffix("\ncut off: The trace ends before the run does.\n"))
    }
}

extension ReportOptions {
    /// The default options but for this.
    static func with(_ change: (inout ReportOptions) -> Void) -> ReportOptions {
        var options = ReportOptions()
        change(&options)
        return options
    }
}
