import Testing
import ThreadLabTesting

/// The forms of `check`: of a truth value, and of a value that is compared.
@Suite struct CheckedValueTests {
    private func message(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `a comparison shows both values, after the message if there is one`() {
        #expect(message { try check(3, is: 2) } == "the value is 3, and should be 2")
        #expect(message { try check("a", is: "b", "lost") } == "lost: the value is a, and should be b")
        #expect(message { try check(3, isAtMost: 2) } == "the value is 3, and should be at most 2")
        #expect(message { try check(1, isAtLeast: 2) } == "the value is 1, and should be at least 2")
    }

    @Test func `what is as it should be passes`() {
        #expect(message { try check(2, is: 2) } == nil)
        #expect(message { try check(2, isAtMost: 2) } == nil)
        #expect(message { try check(2, isAtLeast: 2) } == nil)
    }

    @Test func `a truth value is checked as before, also one of a comparison`() {
        let (one, two): (Int, Int?) = (1, 2)
        #expect(message { try check(one == 1 && two != nil) } == nil)
        #expect(message { try check(one == two, "differ") } == "differ")
        #expect(message { try check(false, is: true) } == "the value is false, and should be true")
    }
}
