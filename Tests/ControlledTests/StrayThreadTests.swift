import Primitives
import Testing

/// Case T20: a primitive on a thread that no run has started.
@Suite struct StrayThreadTests {
    @Test func `a primitive outside of a run is a plain native one`() throws {
        let count = Atomic("count", 0)
        let other = try Thread("other") { try count.add(1) }
        try other.join()
        #expect(try count.load() == 1)
        #expect(Thread.current != other)
    }

    @Test func `an error that leaves a thread outside of a run ends the process, with a message`() async {
        struct Lost: Error {}
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Thread { throw Lost() }.join()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("outside a run, an error left the body of a thread: Lost()"))
    }
}
