import Support
import Testing
import Text
import Trace

@Suite struct TraceFormatTests {
    @Test func `an event is one self-contained line`() {
        let lines = TraceDocument.abba.saved.split(separator: "\n")
        #expect(
            lines.first
                == #"{"threadlab":2,"scenario":"deadlock","parameters":{"order":"opposite"},"runtime":"controlled","seed":7,"schedule":"0.1.2*3"}"#
        )
        #expect(lines.contains(#"{"object":1,"kind":"mutex","name":"a"}"#))
        #expect(lines.contains(#"{"thread":1,"name":"first"}"#))
        #expect(
            lines.contains(
                #"{"n":4,"t":0,"thread":"first","kind":"mutex.acquire","object":"a","value":1,"at":"Scenarios/Deadlock.swift:21"}"#
            ))
    }

    @Test func `values are names where the kind says so`() {
        let text = Script.trace(
            """
            main  thread.create first
            first condition.wait changed m
            first note "hello"
            first misuse m relock
            """
        ).saved
        #expect(text.contains(#""kind":"thread.create","value":"first""#))
        #expect(text.contains(#""object":"changed","value":"m""#))
        #expect(text.contains(#""kind":"note","text":"hello""#))
        #expect(text.contains(#""kind":"misuse","object":"m","value":"relock""#))
    }

    @Test(arguments: 0..<400)
    func `any document is read back equal`(seed: UInt64) throws {
        let document = TraceDocument.random(seed: seed)
        let back = try TraceReader.read(Array(document.saved.utf8))
        #expect(back == document)
        // Strings are equal where they look the same; the bytes are the same as well.
        #expect(back.saved.utf8.elementsEqual(document.saved.utf8))
    }

    @Test func `no character that a terminal acts on is written`() {
        for seed in 0..<100 {
            let scalars = TraceDocument.random(seed: UInt64(seed)).saved.unicodeScalars
            #expect(scalars.allSatisfy { $0 == "\n" || !$0.isHazardous })
        }
    }

    @Test func `a trace cut off anywhere after its header gives the events before the cut`() throws {
        let bytes = Array(TraceDocument.abba.saved.utf8)
        let header = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
        var most = 0
        for length in header..<bytes.count {
            let document = try TraceReader.read(Array(bytes[..<length]))
            #expect(document.outcome == nil)
            #expect(document.events == Array(TraceDocument.abba.events.prefix(document.events.count)))
            #expect(document.events.count >= most)
            most = document.events.count
        }
        // The last cut took only the newline.
        #expect(most == TraceDocument.abba.events.count)
    }
}

extension TraceDocument {
    var saved: String { ByteSink.collect { TraceWriter.write(self, to: &$0) } }
}
