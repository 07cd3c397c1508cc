import Primitives
import Testing

/// Case T20: a primitive on a thread that no run has started.
@Suite struct StrayThreadTests {
    @Test func `a primitive outside of a run ends the process, with a message`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Thread.current.name
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("threadlab's primitives work inside a run only"))
    }
}
