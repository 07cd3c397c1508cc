import Authoring
import Glibc
import Testing
import ThreadLabPthread
import ThreadLabTesting

// As a file of a module under the lab has them: they take the place of the system's in the whole module.
private func sleep(_ seconds: UInt32) -> UInt32 { Lab.sleep(seconds) }
private func usleep(_ microseconds: UInt32) -> Int32 { Lab.usleep(microseconds) }
// swift-format-ignore: AlwaysUseLowerCamelCase
private func sched_yield() -> Int32 { Lab.sched_yield() }

/// Functions of POSIX whose types are the system's.
@Suite struct PthreadSleepTests {
    @Test func `a sleep takes time of the run, and a yield is a step`() throws {
        let result = try explore(.exhaustive) {
            let start = Instant.now
            try check(sleep(3600) == 0 && usleep(500_000) == 0 && sched_yield() == 0)
            try check(Instant.now - start == .seconds(3600) + .milliseconds(500))
        }
        #expect(result.triedEveryOrder)
    }
}
