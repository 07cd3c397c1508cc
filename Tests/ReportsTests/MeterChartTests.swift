import Reports
import Support
import Testing
import Trace

/// The figures below a report.
@Suite struct MeterChartTests {
    private static func figures(_ lines: String, _ options: ReportOptions = .init()) -> String {
        let shown = Script.trace(lines + "\nmain run.exit\nmain run.complete").judged().shown(as: .none, options)
        return shown.firstRange(of: "\nFigures\n").map { String(shown[$0.upperBound...]) } ?? ""
    }

    @Test func `meters that were read once are bars beside each other, by unit`() {
        let figures = Self.figures(
            """
            main meter.time slow 4000
            main meter.bytes stack 65536
            main meter.time fast 1000
            main meter.time nothing 0
            """, .init(width: 30))
        #expect(
            figures == """
                  slow        4 µs  ██████████
                  stack    64.0 KB
                  fast        1 µs  ███
                  nothing      0 s

                """)
    }

    @Test func `a meter that was read more often is a line over time, with what it ranges over`() {
        let readings = [0, 1, 2, 3, 8, 3, 1].map { "main meter.count length \($0)" }.joined(separator: "\n")
        #expect(
            Self.figures(readings) == """
                  length, 7 readings: least 0, median 2, greatest 8
                    ▁▂▃▄█▄▂

                """)
        #expect(Self.figures(readings, .init(ascii: true)).hasSuffix("    _.-=#=.\n"))
    }

    @Test func `lines of one unit have one scale, and can be compared`() {
        let lines = [("long", [4, 8, 8]), ("short", [1, 2, 1])].flatMap { name, values in
            values.map { "main meter.count \(name) \($0)" }
        }
        let other = ["main meter.bytes memory 1", "main meter.bytes memory 1"]
        let figures = Self.figures((lines + other).joined(separator: "\n"))
        #expect(
            figures.split(separator: "\n").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
                == ["    ▅██", "    ▂▃▂", "    ██"])
    }

    @Test func `of very many readings a column shows the greatest`() {
        let readings = (0..<600).map { "main meter.count length \($0 == 300 ? 9 : 0)" }.joined(separator: "\n")
        let line = Self.figures(readings, .init(width: 34)).split(separator: "\n").last ?? ""
        #expect(line == "    " + String(repeating: "▁", count: 15) + "█" + String(repeating: "▁", count: 14))
    }

    @Test(arguments: [1, 2, 5, 20, 40]) func `they fit a narrow terminal, or are cut nowhere`(width: Int) {
        let figures = Self.figures(
            "main meter.count length 3\nmain meter.count length 1\nmain meter.bytes stack 4096",
            .init(width: width))
        #expect(figures.contains("4.0 KB") && figures.contains("█"))
    }

    @Test(arguments: [Int64.min, -1, Int64.max]) func `a value that no meter reads is shown all the same`(value: Int64)
    {
        let lines = ["count", "bytes", "time"].map { "main meter.\($0) m\($0) \(value)" }.joined(separator: "\n")
        #expect(Self.figures(lines + "\n" + lines).contains("2 readings"))
        #expect(Self.figures(lines).split(separator: "\n").count == 3)
    }

    @Test func `a run without meters has no figures`() {
        #expect(Self.figures("main thread.yield").isEmpty)
    }
}
