// What Foundation on Linux does, by word, for FoundationTests: some of it ends the process.
import Foundation

/// Runs the body on a thread of Foundation's, and waits until it has returned.
func onThread(named name: String? = nil, _ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        body()
        done.signal()
    }
    thread.name = name
    thread.start()
    done.wait()
}

switch CommandLine.arguments.dropFirst().first {
case "condition-lock":
    let lock = NSConditionLock(condition: 0)
    lock.lock(whenCondition: 1)
case "far-deadline":
    let condition = NSCondition()
    condition.lock()
    print(condition.wait(until: Date(timeIntervalSinceNow: 3e10)))
case "timer":
    let timer = Timer(timeInterval: 1000, repeats: false) { _ in }
    print(timer.fireDate.timeIntervalSinceNow < 500 ? "at once" : "after the interval")
case "name":
    onThread(named: "worker") { print(Thread.current.name == "worker" ? "kept" : "lost") }
case "long-name":
    Thread.current.name = "a name of more than 15 bytes"
    print(Thread.current.name == "a name of more than 15 bytes" ? "kept" : "lost")
case "perform":
    // The other thread asks for the call when the loop sleeps, and long before the timer is due.
    let main = getpid()
    @Sendable nonisolated func sleeps() -> Bool {
        let status = (try? String(contentsOfFile: "/proc/self/task/\(main)/stat", encoding: .utf8)) ?? ""
        return status.contains(") S ")
    }
    nonisolated(unsafe) let loop = RunLoop.current
    nonisolated(unsafe) var order: [String] = []
    let timer = Timer(fire: Date(timeIntervalSinceNow: 2), interval: 0, repeats: false) { _ in order.append("timer") }
    loop.add(timer, forMode: .default)
    Thread.detachNewThread {
        for _ in 1...5 {
            while !sleeps() { usleep(1000) }
            usleep(20_000)
        }
        loop.perform { order.append("call") }
    }
    while order.count < 2 && loop.run(mode: .default, before: Date(timeIntervalSinceNow: 5)) {}
    print(order.joined(separator: ", "))
case "notice":
    nonisolated(unsafe) var notices = 0
    let observer = NotificationCenter.default.addObserver(forName: .NSThreadWillExit, object: nil, queue: nil) { _ in
        notices += 1
    }
    let thread = Thread {}
    thread.start()
    while !thread.isFinished { usleep(1000) }
    NotificationCenter.default.removeObserver(observer)
    print(notices)
case "stack-size":
    let thread = Thread {}
    let before = thread.stackSize
    thread.stackSize = 100
    print(thread.stackSize == before ? "unchanged" : "\(thread.stackSize)")
case "unlock":
    let lock = NSLock()
    lock.lock()
    onThread { lock.unlock() }
    print(lock.try() ? "accepted" : "refused")
case "condition-unlock":
    let lock = NSConditionLock(condition: 0)
    lock.lock()
    onThread { lock.unlock() }
    print(lock.try() ? "accepted" : "refused")
default: exit(2)
}
