import Support
import Testing

@testable import Trace

/// Memory orders in recordings and saved traces.
@Suite struct MemoryOrderFormatTests {
    private func document(_ events: [Event]) -> TraceDocument {
        var document = TraceDocument(header: TraceHeader(scenario: "orders", runtime: .controlled))
        document.objects.append(.init(kind: .atomic, name: "x"))
        document.events = events
        return document
    }

    private func event(_ kind: EventKind, _ order: MemoryOrder, value: Int64 = 1) -> Event {
        Event(time: 0, thread: .main, kind: kind, object: ObjectID(1), value: value, order: order)
    }

    @Test func `an event names its memory order, unless it is sequentially consistent`() throws {
        let text = document([event(.atomicStore, .release), event(.atomicLoad, .seqcst)]).saved
        #expect(text.contains(#""kind":"atomic.store","object":"x","value":1,"order":"release"}"#))
        #expect(text.contains(#""kind":"atomic.load","object":"x","value":1}"#))
    }

    @Test func `a fence has its order as its value`() throws {
        let fence = Event(time: 0, thread: .main, kind: .fence, value: Int64(MemoryOrder.acqRel.rawValue))
        let text = document([fence]).saved
        #expect(text.contains(#""kind":"memory.fence","value":"acqRel"}"#))
        #expect(try TraceReader.read(Array(text.utf8)).events == [fence])
    }

    @Test func `only a trace with memory orders needs a reader that knows them`() {
        #expect(document([event(.atomicLoad, .seqcst)]).saved.hasPrefix(#"{"threadlab":2,"#))
        #expect(document([event(.atomicLoad, .relaxed)]).saved.hasPrefix(#"{"threadlab":3,"#))
        #expect(document([event(.fence, .seqcst, value: 0)]).saved.hasPrefix(#"{"threadlab":3,"#))
    }

    @Test func `an operation on an atomic in a trace without orders is sequentially consistent`() throws {
        let text = document([event(.atomicLoad, .seqcst)]).saved
        #expect(try TraceReader.read(Array(text.utf8)).events.map(\.order) == [.seqcst])
    }

    @Test(arguments: MemoryOrder.allCases) func `a recording keeps the order of each operation on an atomic`(
        _ order: MemoryOrder
    ) {
        for kind in EventKind.allCases {
            var event = RecordedEvent(
                time: 1, site: .unknown, value: 2, object: 3, thread: 4, kind: kind, order: order)
            #expect(event.kind == kind && event.object == 3 && event.thread == 4)
            #expect(event.order == (kind.isOfAtomic ? order : .seqcst))
            guard kind.effect.isWrite else { continue }
            #expect(event.setOld(1) && event.nearOld == 1 && !event.isSupplement)
            #expect(event.kind == kind && event.order == (kind.isOfAtomic ? order : .seqcst))
        }
    }
}
