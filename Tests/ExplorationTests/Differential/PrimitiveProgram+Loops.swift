import Primitives
import Synchronization
import Testing

extension PrimitiveProgram {
    static let loops = [
        Self("calls to a loop from two threads") { sight in
            let main = RunLoop.current
            let source = InputSource { sight.saw("source") }
            try main.add(source)
            let t = try Thread { try main.perform { sight.saw("t") } }
            let u = try Thread {
                try source.signal()
                try main.wakeUp()
            }
            while sight.count(of: "main") < 2 { try main.run() }
            try t.join()
            try u.join()
        },
        Self("a loop that is stopped") { sight in
            let main = RunLoop.current
            let source = InputSource { sight.saw("source") }
            try main.add(source)
            let t = try Thread {
                try source.signal()
                try main.stop()
            }
            sight.saw(try main.run())
            try t.join()
        },
        Self("two threads that make calls in each other's loop, and wait") { sight in
            let loops = (Loop(), Loop())
            let ready = try (Semaphore(value: 0), Semaphore(value: 0))
            try together(
                {
                    loops.0.set(RunLoop.current)
                    try ready.0.signal()
                    try ready.1.wait()
                    try loops.1.get().perform(waitUntilDone: true) { sight.saw("called", as: "u") }
                },
                {
                    loops.1.set(RunLoop.current)
                    try ready.1.signal()
                    try ready.0.wait()
                    while try RunLoop.current.run(until: .now + .seconds(1)) == .handledSource {}
                })
        },
        Self("the main loop, which another thread wants at once") { sight in
            let thread = try Thread { try RunLoop.main.wakeUp() }
            try Thread.yield()
            _ = RunLoop.current
            try thread.join()
        },
        Self("two threads that make their loops, and then use memory") { sight in
            let flag = Atomic("flag", 0)
            try together(
                {
                    _ = RunLoop.current
                    let own = Atomic("own", 0)
                    try flag.store(1)
                    try own.store(flag.load())
                    sight.saw(try own.load(), as: "t")
                },
                {
                    _ = RunLoop.current
                    let own = Atomic("own", 0)
                    try flag.store(2)
                    try own.store(flag.load())
                    sight.saw(try own.load(), as: "u")
                })
        },
        Self("a call that fails before another one for which a thread waits") { sight in
            let loop = RunLoop.current
            let ready = try Semaphore(value: 0)
            let t = try Thread {
                try loop.perform { throw Failure() }
                try ready.signal()
            }
            try ready.wait()
            let u = try Thread { try loop.perform(waitUntilDone: true) { sight.saw("called") } }
            for _ in 0..<2 {
                do { sight.saw(try loop.run(until: .now + .seconds(1)).rawValue) } catch is Failure {
                    sight.saw("failed")
                }
            }
            try t.join()
            try u.join()
        },
    ]

    static let ports = [
        Self("a port whose thread ends while another one sends") { sight in
            let port = Port { sight.saw($0.id, as: "t") }
            try together({
                try RunLoop.current.add(port)
                _ = try RunLoop.current.run(until: .distantPast)
            }) {
                sight.saw(try port.send(PortMessage(1)).rawValue, as: "u")
            }
        },
        Self("a port that is invalidated with a request in it") { sight in
            let ready = try Semaphore(value: 0)
            let port = Port { _ in sight.saw("received", as: "t") }
            let t = try Thread {
                try RunLoop.current.add(port)
                try ready.signal()
                try port.invalidate()
            }
            try ready.wait()
            switch try port.request(1, replyBefore: .now + .seconds(1)) {
            case .gone: sight.saw("gone")
            case let other: sight.saw(other)
            }
            try t.join()
        },
        Self("a name that one frees while another one looks for it") { sight in
            let names = MessagePortNameServer()
            let port = Port { _ in }
            try together({
                sight.saw(try names.register(port, as: "p"), as: "t")
                try names.remove("p")
            }) {
                sight.saw(try names.port(named: "p") != nil, as: "u")
                sight.saw(try names.register(port, as: "p"), as: "u")
            }
        },
    ]
}

private struct Failure: Error {}

/// A loop that one thread passes to another.
private final class Loop: Sendable {
    private let loop = Synchronization.Mutex<RunLoop?>(nil)

    func set(_ new: RunLoop) { loop.withLock { $0 = new } }
    func get() throws -> RunLoop { try #require(loop.withLock { $0 }) }
}
