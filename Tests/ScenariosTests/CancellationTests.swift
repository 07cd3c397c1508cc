import Authoring
import Execution
import Machine
import Testing
import Trace

@Suite struct CancellationTests {
    @Test(
        arguments: ["dictionary", "atomic-flag", "plain-flag"])
    func `the request comes in the third chunk, is seen at its end, and the worker cleans up`(variant: String) throws {
        let trace = try Setting("cancellation --variant \(variant)").trace(of: Schedule())
        #expect(
            trace.texts(of: .note) == [
                "asks the worker to exit",
                "sees the request after chunk 3",
                "cleans up, with 3 of 10 chunks done",
                "the worker has exited, 5 ms after the request",
            ])
    }

    @Test(
        arguments: [("2ms", "1 ms"), ("10ms", "5 ms"), ("20ms", "15 ms"), ("100ms", "75 ms"), ("30us", "20 µs")])
    func `the latency is the rest of the chunk, whatever its size`(chunk: String, latency: String) throws {
        let trace = try Setting("cancellation --chunk \(chunk) --chunks 1000 --variant atomic-flag").trace(
            of: Schedule())
        #expect(trace.texts(of: .note).last == "the worker has exited, \(latency) after the request")
    }

    @Test func `in the guide's form the handler runs on the worker's thread and sets its dictionary`() throws {
        let trace = try Setting("cancellation").trace(of: Schedule())
        let handled = try #require(trace.events.firstIndex { trace.name(of: $0) == "source.perform" })
        let set = try #require(trace.events[handled...].first { trace.name(of: $0) == "dictionary.set" })
        #expect(trace.name(of: set.thread) == "worker")
        #expect(trace.text(of: set) == "ThreadShouldExitNow = true")
    }

    @Test func `a worker that never checks has its flag set nevertheless, and works to the end`() throws {
        let trace = try Setting("cancellation --variant never-checks").trace(of: Schedule())
        #expect(trace.texts(of: "dictionary.set").last == "ThreadShouldExitNow = true")
        #expect(
            trace.texts(of: .assertionFailed) == [
                "the worker began 7 more chunks after the request; it should begin one at most"
            ])
    }

    @Test func `a request that comes too late finds that the worker has ended, which is not a mistake`() throws {
        let trace = try Setting("cancellation --request-after 1s").trace(of: Schedule())
        #expect(trace.texts(of: .note).last == "the worker has exited, 0 s after the request")
        #expect(trace.events.last?.kind == .runComplete)
    }
}
