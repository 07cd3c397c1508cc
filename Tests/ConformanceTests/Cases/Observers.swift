import Primitives

extension Case {
    static let observers: [Case] = [
        Case("U21", "observers are called at each of the guide's steps, in their order") { _ in
            let told = Plain<[String]>([])
            let loop = RunLoop.current
            let source = InputSource { told.value.append("source") }
            try loop.add(source)
            try loop.add(RunLoopObserver { told.value.append($0.description) })
            let port = Port { _ in told.value.append("port") }
            try loop.add(port)
            try loop.add(
                Timer(fire: .now + .milliseconds(1)) { _ in
                    told.value.append("timer")
                    try source.signal()
                    try loop.perform { told.value.append("call") }
                    try port.send(PortMessage())
                })
            try expect(loop.run() == .handledSource)
            let pass = ["before timers", "before sources"]
            try expect(
                told.value == ["entry"] + pass + ["before waiting", "after waiting", "timer"]
                    + pass + ["source", "call", "port", "exit"], "\(told.value)")
        },
        Case("U21-port", "a message that wakes the loop is received after the notice of waking") { _ in
            let told = Plain<[String]>([])
            let loop = RunLoop.current
            let port = Port { _ in told.value.append("port") }
            try loop.add(port)
            let observer = RunLoopObserver(for: [.beforeWaiting, .afterWaiting, .exit]) {
                told.value.append($0.description)
            }
            try loop.add(observer)
            let isAsleep = try Semaphore(value: 0)
            try loop.add(RunLoopObserver(for: .beforeWaiting, order: 1) { _ in try isAsleep.signal() })
            let thread = try Thread {
                try isAsleep.wait()
                try port.send(PortMessage())
            }
            try expect(loop.run() == .handledSource)
            try thread.join()
            try expect(told.value == ["before waiting", "after waiting", "port", "exit"], "\(told.value)")
        },
        Case("U21-wake", "a wake-up ends the sleep, and another pass follows") { _ in
            let told = Plain<[String]>([])
            let loop = RunLoop.current
            try loop.add(InputSource {})
            try loop.add(
                RunLoopObserver(for: [.beforeTimers, .beforeWaiting]) { activity in
                    told.value.append(activity.description)
                    if activity == .beforeWaiting { try told.value.count < 4 ? loop.wakeUp() : loop.stop() }
                })
            try expect(loop.run() == .stopped)
            let pass = ["before timers", "before waiting"]
            try expect(told.value == pass + pass, "\(told.value)")
        },
        Case("U21-empty", "observers alone do not keep a loop running, and are not called") { _ in
            try RunLoop.current.add(RunLoopObserver { _ in try expect(false, "it is called") })
            try expect(RunLoop.current.run() == .finished)
        },
        Case("U21-once", "an observer that does not repeat is called once; others by their order, in their modes") {
            _ in
            let told = Plain<[Int]>([])
            let loop = RunLoop.current
            for order in [2, 1] {
                try loop.add(RunLoopObserver(for: .entry, order: order) { _ in told.value.append(order) })
            }
            try loop.add(RunLoopObserver(for: .all, repeats: false, order: 0) { _ in told.value.append(0) })
            try loop.add(RunLoopObserver(for: .entry) { _ in told.value.append(9) }, to: "other")
            try loop.add(InputSource {})
            for _ in 1...2 { try expect(loop.run(until: .distantPast) == .timedOut) }
            try expect(told.value == [0, 1, 2, 1, 2], "\(told.value)")
        },
        Case("U21-invalid", "an observer that was invalidated or removed is not called any more") { _ in
            let loop = RunLoop.current
            try loop.add(InputSource {})
            let observers = (1...2).map { _ in RunLoopObserver { _ in try expect(false, "it is called") } }
            for observer in observers { try loop.add(observer) }
            try observers[0].invalidate()
            try loop.remove(observers[1])
            try expect(loop.run(until: .distantPast) == .timedOut)
        },
    ]
}
