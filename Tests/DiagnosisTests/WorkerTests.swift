import Diagnosis
import Support
import Testing
import Trace

@Suite struct WorkerTests {
    private static let begin = "main queue.async q 1 :3\nmain thread.create-detached w :3\nmain queue.serve w :3\n"
    private static let cutOff = "\nmain run.exit\nw thread.cut-off"

    private static func codes(_ events: String) -> [FindingCode] {
        Examination.findings(in: Script.trace(begin + events + cutOff)).map(\.code)
    }

    @Test func `a worker that the end of the process finds in a block was cut off`() {
        #expect(Self.codes("w mutex.acquire q 1 :3") == [.cutOffThread])
    }

    @Test(arguments: ["w thread.start", "w mutex.acquire q 1\nw mutex.release q"])
    func `a worker that runs no block was not cut off`(events: String) {
        #expect(Self.codes(events) == [])
    }

    @Test func `a worker whose operation has finished was not cut off`() {
        #expect(Self.codes("w mutex.acquire q 1\nw operation.finish \"o\"") == [])
    }

    @Test func `a block that waits for its own queue is a deadlock that names the queue and both lines`() {
        let trace = Script.trace(Self.begin + "w mutex.acquire q 1 :3\nw mutex.wait q :9")
        let finding = Examination.findings(in: trace).first
        #expect(finding?.code == .queueCycle)
        #expect(
            finding?.story == [
                "w runs a block of q (from Test.swift:3) and waits for q at Test.swift:9, of which it runs a block itself."
            ])
        #expect(finding?.advice?.contains("no recursive lock") == true)
    }
}
