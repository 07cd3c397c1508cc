import CCompiled
import Testing

@testable import CompiledExecution

@Suite struct CrashReasonTests {
    private func reason(_ fault: compiled_fault_t, at address: UInt64) -> CrashReason? {
        var request = compiled_request_t(compiled_crash, address)
        request.detail = fault.rawValue
        return CrashReason(request)
    }

    @Test func `an address says whether the pointer was null, and what it was used for`() {
        #expect(reason(compiled_bad_read, at: 0x28)?.text == "read through a null pointer, at address 0x28")
        #expect(reason(compiled_bad_write, at: 0)?.text == "wrote through a null pointer, at address 0x0")
        #expect(reason(compiled_bad_use, at: 8)?.text == "used memory through a null pointer, at address 0x8")
        #expect(reason(compiled_bad_call, at: 0)?.text == "called a function through a null pointer, at address 0x0")
        #expect(reason(compiled_bad_read, at: 0xDEAD_0000)?.text == "read at address 0xdead0000, where it may not")
        #expect(reason(compiled_bad_read, at: 0xDEAD_0000)?.address == 0xDEAD_0000)
        #expect(reason(compiled_impossible_address, at: 0)?.address == nil)
    }

    @Test func `another signal has no reason`() { #expect(reason(compiled_no_fault, at: 0) == nil) }

    @Test(arguments: [
        ("St13runtime_error\nno such item", "did not catch an exception: std::runtime_error: no such item"),
        ("i", "did not catch an exception: int"),
        ("St12out_of_range\ntwo\nlines", "did not catch an exception: std::out_of_range: two\nlines"),
    ])
    func `an exception has its type, and its text if it has one`(mangled: String, says: String) {
        let text = mangled.withCString { text in
            var request = compiled_request_t(compiled_crash)
            request.text = text
            return CrashReason(request)?.text
        }
        #expect(text == says)
    }
}
