import CLab
import Glibc
import Synchronization
import Testing

@testable import Execution

/// Signals are meant for the threads of the program.
@Suite struct UndisturbedThreadTests {
    @Test func `the thread that waits for a run in a process of its own gets no signal from the run's first moment on`()
        async
    {
        await #expect(processExitsWith: .success) {
            let waiting = clab_thread_id()
            let blocked = Mutex<Set<Bool>>([])
            for _ in 0..<200 {
                blockNoSignals()
                FreshThread.run { blocked.withLock { _ = $0.insert(blocksSignals(waiting)) } }
            }
            let found = blocked.withLock { $0 }
            #expect(found == [true])
        }
    }

    @Test func `a thread that a run in a process of its own gets has the mask of the one that waits`() async {
        await #expect(processExitsWith: .success) {
            let blocked = Mutex<Set<Bool>>([])
            blockNoSignals()
            FreshThread.run { blocked.withLock { _ = $0.insert(blocksSignals(clab_thread_id())) } }
            let found = blocked.withLock { $0 }
            #expect(found == [false])
        }
    }

    @Test func `a watch gets no signal`() {
        let blocked = Mutex<Bool?>(nil)
        let hasLooked = Signal()
        let watch = Watch(every: 1000) {
            blocked.withLock { $0 = blocksSignals(clab_thread_id()) }
            hasLooked.post()
            return false
        }
        hasLooked.wait()
        watch.stop()
        #expect(blocked.withLock { $0 } == true)
    }
}

private func blockNoSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
}

/// Whether the thread of this process with the kernel's number blocks `SIGUSR1`.
private func blocksSignals(_ thread: pid_t) -> Bool {
    guard let status = fopen("/proc/self/task/\(thread)/status", "r") else { return false }
    defer { fclose(status) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), status) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard text.hasPrefix("SigBlk:") else { continue }
        let mask = UInt64(text.dropFirst(7).filter(\.isHexDigit), radix: 16) ?? 0
        return mask & 1 << UInt64(SIGUSR1 - 1) != 0
    }
    return false
}
