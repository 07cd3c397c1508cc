import Reports
import Support
import Testing
import Trace

@Suite struct TextReportTests {
    private static let deadlock = TraceDocument.abba.judged(guide: "Watch Out for Deadlocks and Livelocks")

    @Test func `the report has a line for each event and then the outcome; without times if no time passed`() {
        let shown = Self.deadlock.shown(as: .text, .init(replay: "threadlab replay deadlock 0.1.2*3"))
        #expect(
            shown
                == """
                deadlock  order=opposite, controlled, seed 7

                \(TraceDocument.abbaVerdict)

                  #  thread  event             object  value   where
                  1  main    thread.create             first   :20
                  2  main    thread.create             second  :26
                  3  first   thread.start
                  4  first   mutex.acquire     a               :21
                  5  main    thread.join-wait          first   :32
                  6  second  thread.start
                  7  second  mutex.acquire     b               :27
                  8  first   mutex.wait        b               :22
                  9  second  mutex.wait        a               :28

                \(TraceDocument.abbaStory)

                """)
    }

    @Test func `the report shows times in one unit, and values in words`() {
        #expect(
            TraceDocument.handOver.judged().shown(as: .text)
                == """
                hand-over  native

                  #    µs  thread    event              object   value         where
                  1   0.0  main      thread.create               producer      :5
                  2   1.0  main      thread.create               consumer      :9
                  3   2.0  consumer  thread.start
                  4   3.0  consumer  mutex.acquire      m                      :20
                  5   4.0  consumer  condition.wait     changed  with m        :21
                  6   5.0  producer  thread.start
                  7   6.0  producer  mutex.acquire      m                      :12
                  8   7.0  producer  cell.write         count    1             :13
                  9   8.0  producer  condition.signal   changed                :14
                 10   9.0  producer  note                        one is ready  :14
                 11  10.0  producer  mutex.release      m                      :15
                 12  11.0  producer  thread.exit
                 13  12.0  consumer  condition.wake     changed  with m        :21
                 14  13.0  consumer  cell.read          count    1             :22
                 15  14.0  consumer  mutex.release      m                      :23
                 16  15.0  consumer  thread.deadline             20 ms         :24
                 17  16.0  consumer  semaphore.wait     permits                :24
                 18  17.0  consumer  semaphore.timeout  permits                :24
                 19  18.0  consumer  thread.exit                 42
                 20  19.0  main      thread.join                 producer      :30
                 21  20.0  main      thread.join                 consumer      :31
                 22  21.0  main      run.exit
                 23  22.0            run.complete

                completed: The run completed, with 3 threads and 23 events.

                """)
    }

    @Test(
        arguments: [
            (UInt64(1_500), "  #    µs  thread", "  1   1.5  main"),
            (12_345_678, "  #      ms  thread", "  1  12.345  main"),
            (98_765_432_109, "  #          s  thread", "  1  98.765432  main"),
        ])
    func `the report chooses the unit by the latest time`(time: UInt64, heading: String, row: String) {
        var trace = Script.trace("main note \"hello\"")
        trace.events[0].time = time
        let lines = trace.shown(as: .text).split(separator: "\n")
        #expect(lines[1].hasPrefix(heading))
        #expect(lines[2].hasPrefix(row))
    }

    @Test func `the report says how many events were dropped`() {
        var trace = Script.trace("main note \"hello\"")
        trace.dropped = 5_000
        #expect(trace.shown(as: .text).contains("\n5000 more events were dropped"))
    }
}

extension TextReportTests {
    @Test(
        arguments: [60, 70, 80, 120])
    func `the report fits any terminal: names are cut in the middle, values continue below, places go last`(width: Int)
    {
        for trace in [TraceDocument.handOver, .abba, .hostile] {
            let table = trace.judged().shown(as: .text, .init(width: width, ascii: true)).drawing
            #expect(table.split(separator: "\n").allSatisfy { $0.utf8.count <= width }, "\(table)")
        }
    }

    @Test func `the report cuts nothing where output goes to a file`() {
        var options = ReportOptions()
        options.rowWidth = nil
        let text = String(repeating: "word ", count: 40)
        let shown = Script.trace("main note \"\(text)\" :3").shown(as: .text, options)
        #expect(shown.contains(text))
    }

    @Test func `the report continues a long command as a shell does where the width is limited, and nowhere else`() {
        let words = "threadlab replay 'a long name.lab' --variant opposite --schedule 0,1x2,0,2x3,1"
        var options = ReportOptions(width: 40, replay: words)
        #expect(
            Self.deadlock.shown(as: .none, options).hasSuffix(
                """
                  Replay: threadlab replay \\
                    'a long name.lab' --variant \\
                    opposite --schedule 0,1x2,0,2x3,1

                """))
        options.rowWidth = nil
        #expect(Self.deadlock.shown(as: .none, options).hasSuffix("  Replay: \(words)\n"))
    }

    @Test func `the report cuts and folds a run over its step limit where rows are limited, and nowhere else`() {
        var options = ReportOptions()
        options.foldsCycles = true
        let rows = { Self.long.shown(as: .text, options).split(separator: "\n").count }
        options.mostRows = nil
        let all = rows()
        options.mostRows = 200
        #expect(all > 10_000 && rows() < 230)
    }

    /// Events that never repeat, up to the step limit.
    private static var long: TraceDocument {
        let events = (0..<10_000).map { "a atomic.load flag \($0) :9" }.joined(separator: "\n")
        return Script.trace("\(events)\nmain run.step-limit 10000").judged()
    }
}
