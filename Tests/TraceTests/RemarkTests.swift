import Support
import Testing

@testable import Trace

@Suite struct RemarkTests {
    private let memory: RecordingMemory
    private let recorder: Recorder

    init() throws {
        memory = try RecordingMemory(.anonymous, size: 8 << 20)
        recorder = Recorder(memory: memory, clock: .virtual)
        recorder.declareThread(0, name: "main")
    }

    private static let opened = Remark("door.open", "open {object}", says: "The door is open")
    private static let entered = Remark("door.enter", "go through", value: .number, counts: .up)
    private static let named = Remark("door.name", "call it {value}", value: .text)

    private func record(_ remarks: Remark..., value: Int64 = 0) {
        let lane = recorder.makeLane()
        for remark in remarks {
            lane.append(
                remark: recorder.number(of: remark), thread: 0, object: 0, value: value, site: .unknown, time: 0)
        }
    }

    private func document() throws -> TraceDocument {
        var document = TraceDocument(header: TraceHeader(scenario: "remarks", runtime: .native))
        try RecordingReader(attachingTo: memory).drain(into: &document, final: true)
        return document
    }

    @Test func `words are in the document, in the order of their first use`() throws {
        record(Self.entered, Self.opened, Self.entered)
        let document = try document()
        #expect(document.remarks == [Self.entered, Self.opened])
        #expect(document.events.map(document.name) == ["door.enter", "door.open", "door.enter"])
        #expect(document.events.map(document.meaning) == [.number, .none, .number])
    }

    @Test func `a remark can have a text`() throws {
        record(Self.named, value: recorder.text("front door"))
        let document = try document()
        #expect(document.events.map { document.text(of: $0) } == ["front door"])
    }

    @Test func `a remark has one number, whoever asks`() {
        let other = RemarkTable(memory: memory, names: NameArea(memory: memory))
        let number = recorder.number(of: Self.opened)
        #expect(number != 0 && other.number(of: Self.opened) == number)
    }

    @Test func `words whose writer has died are written by the next one`() throws {
        let number = recorder.number(of: Self.opened)
        let entry = RecordingLayout.Header.remarks + (Int(number) - 1) * 8
        #expect(memory.load(entry) == Self.opened.key | 1)
        memory.store(entry, Self.opened.key)
        #expect(recorder.number(of: Self.opened) == number)
        #expect(memory.load(entry) == Self.opened.key | 1)
        record(Self.opened)
        #expect(try document().remarks == [Self.opened])
    }

    @Test func `an event without words has a name`() throws {
        recorder.makeLane().append(remark: 0, thread: 0, object: 0, value: 3, site: .unknown, time: 0)
        recorder.makeLane().append(remark: 77, thread: 0, object: 0, value: 3, site: .unknown, time: 0)
        let document = try document()
        #expect(document.events.map(document.name) == ["remark", "remark"])
        #expect(document.remarks.isEmpty)
    }

    @Test func `there are at most 254`() throws {
        let remarks = (1...300).map { Remark("many.\($0)", "do {object}") }
        let numbers = remarks.map(recorder.number)
        #expect(Set(numbers.prefix(254)) == Set(1...254))
        #expect(numbers.dropFirst(254).allSatisfy { $0 == 0 })
        var document = TraceDocument(header: TraceHeader(scenario: "remarks", runtime: .native))
        #expect(remarks.map { document.number(of: $0) }.count { $0 == .none } == 46)
        #expect(document.remarks == Array(remarks.prefix(254)))
    }

    @Test func `other words of the same name get another name`() {
        var document = TraceDocument(header: TraceHeader(scenario: "remarks", runtime: .native))
        let other = Remark("door.open", "unlock {object}")
        #expect(document.number(of: Self.opened) == RemarkID(1))
        #expect(document.number(of: other) == RemarkID(2))
        #expect(document.number(of: Self.opened) == RemarkID(1))
        #expect(document.remarks.map(\.name) == ["door.open", "door.open-2"])
        #expect(document.remarks.map(\.verb) == ["open {object}", "unlock {object}"])
    }

    @Test(arguments: ["", "Door", "a b", "a\n", "mutex.acquire", "remark", String(repeating: "a", count: 65)])
    func `names are small letters, digits, hyphens and dots, and not those of kinds`(name: String) {
        #expect(Remark(checked: name, "", .none, nil, "") == nil)
    }

    @Test func `words are of limited length`() {
        let long = String(repeating: "x", count: 257)
        #expect(Remark(checked: "a", String(long.prefix(128)), .none, nil, String(long.prefix(256))) != nil)
        #expect(Remark(checked: "a", String(long.prefix(129)), .none, nil, "") == nil)
        #expect(Remark(checked: "a", "", .none, nil, long) == nil)
    }

    @Test(arguments: [opened, entered, named]) func `the record of one is read back`(remark: Remark) {
        #expect(Remark(record: remark.record) == remark)
    }

    @Test(arguments: ["", "a", "a\u{0}b\u{0}none\u{0}", "a\u{0}b\u{0}x\u{0}\u{0}", "a\u{0}b\u{0}none\u{0}x\u{0}"])
    func `a record that no recorder writes has no words`(record: String) {
        #expect(Remark(record: record) == nil)
    }
}
