import Authoring
import Execution
import Exploration
import Machine
import Testing
import Trace

@Suite struct ShutdownTests {
    @Test(
        arguments: [
            ("detached", 5, "2 of 5 records saved"), ("late-detach", 5, "2 of 5 records saved"),
            ("joinable", 5, "5 of 5 records saved"), ("forgotten-join", 5, "5 of 5 records saved"),
            ("early-return", 5, "2 of 5 records saved"), ("main-exits", 5, "5 of 5 records saved"),
            ("detached", 1, "0 of 1 records saved"), ("joinable", 1000, "1000 of 1000 records saved"),
        ])
    func `the review says how much of the data was saved`(variant: String, records: Int, note: String) throws {
        let scenario = try Setting("shutdown --variant \(variant) --records \(records)").make()
        let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1))
        _ = runtime.run { try scenario.run() }
        let remains = Remains(runtime.records)
        let isWhole = (try? scenario.review(remains)) != nil
        #expect(remains.notes == [note])
        #expect(isWhole == ["joinable", "forgotten-join", "main-exits"].contains(variant))
    }

    @Test func `the process exits while a detached writer is still at work`() throws {
        let trace = try Setting("shutdown --variant detached").trace(of: Schedule())
        let cut = trace.events.filter { $0.kind == .threadCutOff }.map { trace.name(of: $0.thread) }
        #expect(cut == ["writer"])
    }

    @Test func `a thread that is created detached is not shown like one that is detached later`() throws {
        let early = try Setting("shutdown --variant detached").trace(of: Schedule())
        #expect(early.events.contains { $0.kind == .threadCreateDetached })
        #expect(!early.events.contains { $0.kind == .threadCreate || $0.kind == .threadDetach })
        let late = try Setting("shutdown --variant late-detach").trace(of: Schedule())
        #expect(late.events.contains { $0.kind == .threadCreate } && late.events.contains { $0.kind == .threadDetach })
    }

    @Test func `a joined writer passes on the value that it returned`() throws {
        let trace = try Setting("shutdown --variant joinable --records 7").trace(of: Schedule())
        #expect(trace.texts(of: .note) == ["the writer has saved 7 records"])
    }

    @Test(
        arguments: [("join-twice", MisuseKind.joinTwice), ("join-self", .joinSelf)])
    func `a join that cannot be is named`(variant: String, kind: MisuseKind) throws {
        let trace = try Setting("shutdown --variant \(variant)").trace(of: Schedule())
        #expect(trace.events.first { $0.kind == .misuse }?.value == Int64(kind.rawValue))
    }
}
