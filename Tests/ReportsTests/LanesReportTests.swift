import Reports
import Support
import Testing
import Trace

@Suite("The lanes report")
struct LanesReportTests {
    private static let deadlock = TraceDocument.abba.judged(guide: "Watch Out for Deadlocks and Livelocks")

    @Test("draws a column a thread and a row a step, and shows who is blocked")
    func deadlock() {
        let shown = Self.deadlock.shown(as: .lanes, .init(replay: "threadlab replay deadlock 0.1.2*3"))
        #expect(
            shown
                == """
                deadlock  order=opposite, controlled, seed 7

                    main               first          second
                    ─────────────────  ─────────────  ─────────────
                 1  ● create first                                   Deadlock.swift:20
                 2  ● create second                                  Deadlock.swift:26
                 3  │                  ● start
                 4  │                  ● lock a                      Deadlock.swift:21
                 5  ┆ waits for first  │                             Deadlock.swift:32
                 6  ┆                  │              ● start
                 7  ┆                  │              ● lock b       Deadlock.swift:27
                 8  ┆                  ┆ waits for b  │              Deadlock.swift:22
                 9  ┆                  ┆              ┆ waits for a  Deadlock.swift:28
                    ✗ for ever         ✗ for ever     ✗ for ever

                \(TraceDocument.abbaStory)

                """)
    }

    @Test("shrinks its lanes to the width, and does without the places and the small words; in ASCII too")
    func narrow() {
        let shown = Self.deadlock.shown(as: .lanes, .init(width: 44, ascii: true))
        let drawing = shown.split(separator: "\n\n")[1]
        #expect(
            drawing
                == """
                    main          first         second
                    ------------  ------------  ------------
                 1  * create fi~
                 2  * create se~
                 3  |             * start
                 4  |             * lock a
                 5  : waits fir~  |
                 6  :             |             * start
                 7  :             |             * lock b
                 8  :             : waits b     |
                 9  :             :             : waits a
                    ! for ever    ! for ever    ! for ever
                """)
    }

    @Test("draws waits that end, notes, and threads that end")
    func handOver() {
        #expect(
            TraceDocument.handOver.judged().shown(as: .lanes, .init(width: 100))
                == """
                hand-over  native

                    main               producer           consumer
                    ─────────────────  ─────────────────  ───────────────────
                 1  ● create producer                                          HandOver.swift:5
                 2  ● create consumer                                          HandOver.swift:9
                 3  │                                     ● start
                 4  │                                     ● lock m             HandOver.swift:20
                 5  │                                     ┆ waits for changed  HandOver.swift:21
                 6  │                  ● start            ┆
                 7  │                  ● lock m           ┆                    HandOver.swift:12
                 8  │                  ● write count = 1  ┆                    HandOver.swift:13
                 9  │                  ● signal changed   ┆                    HandOver.swift:14
                10  │                  ● "one is ready"   ┆                    HandOver.swift:14
                11  │                  ● unlock m         ┆                    HandOver.swift:15
                12  │                  ■ end              ┆
                13  │                                     ● woken by changed   HandOver.swift:21
                14  │                                     ● read count = 1     HandOver.swift:22
                15  │                                     ● unlock m           HandOver.swift:23
                16  │                                     ● for at most 20 ms  HandOver.swift:24
                17  │                                     ┆ waits for permits  HandOver.swift:24
                18  │                                     ● gives up permits   HandOver.swift:24
                19  │                                     ■ end 42
                20  ● join producer                                            HandOver.swift:30
                21  ● join consumer                                            HandOver.swift:31
                22  ■ exit

                completed: The run completed, with 3 threads and 23 events.

                """)
    }

    @Test("folds the threads for which there is no room into one lane")
    func folded() {
        let script = (0..<8).map { "w\($0) mutex.acquire m 1 :\($0)" }.joined(separator: "\n")
        #expect(
            Script.trace(script).shown(as: .lanes, .init(width: 60))
                == """
                test  native

                    main        w0          w1          6 others
                    ──────────  ──────────  ──────────  ────────────
                 1  │           ● lock m
                 2  │           │           ● lock m
                 3  │           │           │           ● w2: lock m
                 4  │           │           │           ● w3: lock m
                 5  │           │           │           ● w4: lock m
                 6  │           │           │           ● w5: lock m
                 7  │           │           │           ● w6: lock m
                 8  │           │           │           ● w7: lock m

                cut off: The trace stops before the run does.

                """)
    }

    @Test("keeps its drawing within any width", arguments: Array(-5...130))
    func anyWidth(width: Int) {
        for trace in [Self.deadlock, .hostile, .handOver] {
            let drawing = trace.shown(as: .lanes, .init(width: width, ascii: true)).split(separator: "\n\n")[1]
            #expect(drawing.split(separator: "\n").allSatisfy { $0.utf8.count <= max(width, 20) })
        }
    }

    @Test("draws a trace with nothing in it")
    func empty() {
        let trace = TraceDocument(header: TraceHeader(scenario: "empty", runtime: .controlled))
        #expect(trace.shown(as: .lanes).hasSuffix("\ncut off: The trace stops before the run does.\n"))
    }
}
