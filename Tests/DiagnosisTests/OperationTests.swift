import Diagnosis
import Support
import Testing

@Suite struct OperationTests {
    private static let begin = """
        main operation.depend show decode :3
        main operation.depend decode load :4

        """
    private static let wait = "\nmain condition.wait done m :9"

    private static func finding(_ events: String) -> Finding? {
        Examination.findings(in: Script.trace(begin + events + wait)).first
    }

    @Test func `a cycle of dependencies is named, with the line of each`() {
        let finding = Self.finding(
            """
            main operation.depend load show :5
            main operation.add load q
            main operation.add decode q
            main operation.add show q
            """)
        #expect(finding?.code == .operationNotRun)
        #expect(
            finding?.summary
                == "the operations load, show and decode wait for each other in a cycle; none can ever begin.")
        #expect(
            finding?.story.suffix(3) == [
                "load, in q, waits for show (Test.swift:5).", "decode, in q, waits for load (Test.swift:4).",
                "show, in q, waits for decode (Test.swift:3).",
            ])
    }

    @Test func `an operation that no queue has keeps those from beginning that depend on it`() {
        let finding = Self.finding("main operation.add show q\nmain operation.add load q")
        #expect(finding?.code == .operationNotRun)
        #expect(finding?.summary == "show can never begin: it waits for decode, which no queue has.")
    }

    @Test func `an endless wait lists what runs and what waits, and is no fault of the operations`() {
        let finding = Self.finding(
            """
            main operation.add load q
            main operation.add decode q
            main operation.add show q
            main operation.add other q
            main operation.begin load
            """)
        #expect(finding?.code == .endlessWait)
        #expect(
            finding?.story.dropFirst() == [
                "load, in q, is running.", "decode, in q, waits for load (Test.swift:4).",
                "show, in q, waits for decode (Test.swift:3).", "other, in q, has not begun.",
            ])
    }

    @Test func `what has finished keeps nothing from beginning`() {
        let finding = Self.finding(
            """
            main operation.add decode q
            main operation.begin load
            main operation.finish load "load"
            """)
        #expect(finding?.code == .endlessWait)
        #expect(finding?.story.last == "decode, in q, has not begun.")
    }
}
