import Execution
import Exploration
import Primitives
import Testing

@Suite struct StrayObjectTests {
    @Test func `an object that an earlier execution made is refused, and not taken for another one`() {
        let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1))
        var kept: Mutex?
        #expect(runtime.run { kept = Mutex("kept") } == .completed)
        let verdict = runtime.run {
            let other = Mutex("other")
            try kept?.withLock {}
            try other.withLock {}
        }
        #expect(verdict == .error)
    }

    @Test func `an object may be released after its execution`() {
        let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1))
        var kept: Mutex?
        #expect(runtime.run { kept = Mutex("kept") } == .completed)
        let verdict = runtime.run {
            let other = Mutex("other")
            try other.withLock { kept = nil }
        }
        #expect(verdict == .completed && kept == nil)
    }

    @Test func `two names that have the same number are an error, not one object`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ControlledRuntime(chooser: RandomWalk(seed: 1)).run {
                for name in ["costarring", "liquid"] { _ = try DistributedLock(name).holder() }
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("'costarring file' and 'liquid file' have the same number"))
    }
}
