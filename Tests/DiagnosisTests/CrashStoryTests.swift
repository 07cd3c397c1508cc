import Diagnosis
import Support
import Testing
import Trace

/// What is said of a compiled program that crashes.
@Suite struct CrashStoryTests {
    private func crash(_ script: String) throws -> Finding {
        try #require(EndingDetector().findings(in: script, runtime: .controlled).first)
    }

    @Test func `a null pointer is followed to the thread that wrote it`() throws {
        let finding = try crash(
            """
            main thread.create reader
            main thread.create closer
            reader cell.read active 4096 :7
            closer cell.write active 0 :7
            reader cell.read active 0 :8
            reader crash.reason active "read through a null pointer, at address 0x4" :8
            reader run.message "Fatal error: signal 11" :8
            main run.crash 11
            """)
        #expect(finding.code == .crash)
        #expect(finding.summary.hasPrefix("reader crashed at "))
        #expect(finding.summary.hasSuffix(": it read through a null pointer, at address 0x4."))
        #expect(finding.story[0].hasPrefix("closer sets active to null at "))
        #expect(finding.story[1].hasPrefix("reader reads that null at "))
        #expect(finding.story[2] == "The signal was SIGSEGV.")
        #expect(finding.events == [4, 5])
        #expect(finding.advice?.hasPrefix("Test active for null where it is used") == true)
    }

    @Test func `a pointer that nothing has written is null from the start`() throws {
        let finding = try crash(
            """
            main cell.read active 0 :8
            main crash.reason active "read through a null pointer, at address 0x0" :8
            main run.crash 11
            """)
        #expect(finding.story[0].hasPrefix("main reads active, which is null at "))
        #expect(finding.events == [1] && finding.advice == nil)
    }

    @Test func `a write of another value is not the reason`() throws {
        let finding = try crash(
            """
            main thread.create w
            w cell.write active 7 :3
            main cell.read active 0 :8
            main crash.reason active "wrote through a null pointer, at address 0x0" :8
            main run.crash 11
            """)
        #expect(finding.events == [3])
    }

    @Test func `an exception that nothing catches has its type and text`() throws {
        let finding = try crash(
            """
            main crash.reason "did not catch an exception: std::runtime_error: no such item" :8
            main run.message "Fatal error: signal 6" :8
            main run.crash 6
            """)
        #expect(finding.summary.hasSuffix("it did not catch an exception: std::runtime_error: no such item."))
        #expect(finding.story[0] == "The signal was SIGABRT.")
    }
}
