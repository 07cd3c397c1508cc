import Support
import Testing
import Trace

@testable import Reports

/// The log is read as ShiViz does: by the expression in its first line.
@Suite struct ShiVizLogTests {
    struct Line {
        var host: String
        var clock: [String: Int]
        var event: String
    }

    private func read(_ trace: TraceDocument) throws -> [Line] {
        let text = ByteSink.collect { ShiVizLog.write(trace, to: &$0) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[1].isEmpty && lines.last == "")
        let expression = try Regex(String(lines[0])).anchorsMatchLineEndings()
        let matches = text.matches(of: expression)
        #expect(matches.count == lines.count - 3, "each line but the first two is read, and the first is not")
        return try matches.map { match in
            func part(_ name: String) throws -> String { String(try #require(match[name]?.substring)) }
            let clock = try part("clock").dropFirst().dropLast().split(separator: ", ").map { entry in
                let halves = entry.split(separator: "\": ")
                return (String(halves[0].dropFirst()), try #require(Int(halves[1])))
            }
            return Line(
                host: try part("host"), clock: Dictionary(uniqueKeysWithValues: clock), event: try part("event"))
        }
    }

    /// ShiViz's own conditions: a host's clock counts its lines from 1, a clock never shrinks, and what it has seen of
    /// another host exists, and is not after it.
    private func check(_ lines: [Line]) {
        var counts: [String: Int] = [:]
        var clocks: [String: [String: Int]] = [:]
        for line in lines {
            counts[line.host, default: 0] += 1
            #expect(line.clock[line.host] == counts[line.host])
            for (host, time) in line.clock { #expect(time >= 1 && time <= counts[host] ?? 0, "\(line)") }
            for (host, time) in clocks[line.host] ?? [:] { #expect(line.clock[host] ?? 0 >= time, "\(line)") }
            clocks[line.host] = line.clock
        }
    }

    @Test func `a line has the thread, its clock, the step and its place`() throws {
        let text = ByteSink.collect { ShiVizLog.write(.abba, to: &$0) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == #"^(?<host>\S+) (?<clock>\{[^}]*\}) (?<event>.*)$"#)
        #expect(lines[2] == #"main {"main": 1} create first (Deadlock.swift:20)"#)
        #expect(lines[5] == #"first {"main": 1, "first": 2} lock a (Deadlock.swift:21)"#)
    }

    @Test(arguments: [TraceDocument.abba, .handOver, .hostile]) func `clocks are consistent`(trace: TraceDocument)
        throws
    {
        let lines = try read(trace)
        #expect(lines.count > 5)
        check(lines)
    }

    @Test func `a thread has seen what it was handed, and nothing else`() throws {
        let lines = try read(.handOver)
        func clock(_ event: String) throws -> [String: Int] {
            try #require(lines.first { $0.event.hasPrefix(event) }).clock
        }
        #expect(try clock("lock m (HandOver.swift:12)") == ["main": 2, "consumer": 3, "producer": 2])
        #expect(try clock("woken by changed")["producer"] == 6, "up to its release of m")
        #expect(try clock("join producer") == ["main": 3, "producer": 7, "consumer": 3])
    }

    @Test func `names that would end a field are replaced, and stay different`() throws {
        var trace = TraceDocument.abba
        trace.threads[1].name = "a b"
        trace.threads[2].name = "a_b"
        let hosts = Set(try read(trace).map(\.host))
        #expect(hosts == ["main", "a_b", "a_b#2"])
    }
}
