import Primitives

extension Case {
    static let ports: [Case] = [
        Case("U15-port", "a port is watched once in each mode it was added to, until it is removed or invalid") { _ in
            let received = Plain<[Int]>([])
            let port = Port { received.value.append($0.id) }
            let loop = RunLoop.current
            for mode in ["a", "a", "b"] as [RunLoop.Mode] { try loop.add(port, to: mode) }
            for id in 1...3 { try expect(port.send(PortMessage(id)) == .sent) }
            try expect(loop.run(mode: "a") == .handledSource && loop.run(mode: "b") == .handledSource)
            try loop.remove(port, from: "a")
            try expect(loop.run(mode: "a", until: .distantPast) == .finished)
            try port.invalidate()
            try expect(loop.run(mode: "b") == .finished)
            try expect(received.value == [1, 2], "\(received.value)")
            try expect(port.send(PortMessage(4)) == .gone)
        },
        Case("U15-queue", "messages that were sent before a port is in a loop wait there, in order") { _ in
            let received = Plain<[Int]>([])
            let port = Port { received.value.append($0.id) }
            for id in 1...2 { try port.send(PortMessage(id)) }
            try RunLoop.current.add(port)
            for _ in 1...2 { try expect(RunLoop.current.run() == .handledSource) }
            try expect(RunLoop.current.run(until: .distantPast) == .timedOut && received.value == [1, 2])
        },
        Case("U-port", "a message wakes the loop by itself, and is received on its thread") { _ in
            let main = Thread.current
            let port = Port { try expect(Thread.current == main && $0.content as? String == "hello") }
            try RunLoop.current.add(port)
            let thread = try Thread { try expect(port.send(PortMessage(1, "hello")) == .sent) }
            try expect(RunLoop.current.run() == .handledSource)
            try thread.join()
        },
        Case("U-port-mode", "a message to a port of another mode does not wake the loop, and waits") { _ in
            let received = Plain(0)
            let port = Port { _ in received.value += 1 }
            try RunLoop.current.add(port, to: "other")
            try RunLoop.current.add(InputSource {})
            try port.send(PortMessage())
            try expect(RunLoop.current.run(until: .now + .milliseconds(1)) == .timedOut && received.value == 0)
            try expect(RunLoop.current.run(mode: "other") == .handledSource && received.value == 1)
        },
        Case("U-port-reply", "two threads answer each other through a port each", search: .some) { _ in
            let answer = Plain(0)
            let here = Port { answer.value = $0.id }
            let there = Port { message in try message.replyPort!.send(PortMessage(message.id + 1)) }
            try RunLoop.current.add(here)
            let thread = try Thread {
                try RunLoop.current.add(there)
                try expect(RunLoop.current.run() == .handledSource)
            }
            try there.send(PortMessage(1, replyPort: here))
            try expect(RunLoop.current.run() == .handledSource && answer.value == 2)
            try thread.join()
        },
        Case(
            "U-port-request", "a request waits for its reply, or until its deadline, or learns that the port is gone",
            search: .some
        ) { _ in
            let port = Port { message in try message.replyPort!.send(PortMessage(message.id + 1)) }
            let thread = try Thread {
                try RunLoop.current.add(port)
                try expect(RunLoop.current.run() == .handledSource)
            }
            guard case .reply(let message) = try port.request(1) else { return try expect(false, "no reply") }
            try expect(message.id == 2)
            try thread.join()
            let silent = Port { _ in }
            guard case .replyTimedOut = try silent.request(1, replyBefore: .now + .milliseconds(1)) else {
                return try expect(false, "there is a reply")
            }
            let gone = Port { _ in }
            try gone.invalidate()
            guard case .gone = try gone.request(1) else { return try expect(false, "it is there") }
        },
        Case("U-port-name", "a port is found by its name, which one port at a time has; a thread can wait for it") {
            _ in
            let names = MessagePortNameServer()
            let port = Port { _ in }
            let thread = try Thread {
                try expect(names.register(port, as: "a"))
                try expect(!names.register(Port { _ in }, as: "a"))
            }
            try expect(names.port(named: "a", until: .distantFuture) === port)
            try thread.join()
            try expect(names.port(named: "b") == nil && names.port(named: "b", until: .now) == nil)
            try names.remove("a")
            try expect(names.port(named: "a") == nil)
        },
        Case("U-port-full", "a sender waits for room, until its deadline") { _ in
            let port = Port(limit: 1) { _ in }
            try expect(port.send(PortMessage(), before: .distantPast) == .sent)
            try expect(port.send(PortMessage(), before: .now + .milliseconds(1)) == .timedOut)
            let thread = try Thread { try expect(port.send(PortMessage()) == .sent) }
            try RunLoop.current.add(port)
            for _ in 1...2 { try expect(RunLoop.current.run() == .handledSource) }
            try thread.join()
        },
        Case("U-port-gone", "a sender that waits for room learns that the port is gone") { _ in
            let port = Port(limit: 1) { _ in }
            try port.send(PortMessage())
            let thread = try Thread { try expect(port.send(PortMessage()) == .gone) }
            try port.invalidate()
            try thread.join()
            try expect(!port.isValid)
        },
        Case("U-port-forsaken", "a request learns that its port is invalidated, whenever that is") { _ in
            let ready = try Semaphore(value: 0)
            let port = Port { _ in }
            let thread = try Thread {
                try RunLoop.current.add(port)
                try ready.signal()
                try port.invalidate()
            }
            try ready.wait()
            guard case .gone = try port.request(1) else { return try expect(false, "there is a reply") }
            try thread.join()
        },
        Case("U-port-removed", "a message is kept when its port is removed by a call in the same pass") { _ in
            let received = Plain(0)
            let loop = RunLoop.current
            let port = Port { _ in received.value += 1 }
            try loop.add(port)
            try loop.add(port, to: "other")
            try loop.perform { try loop.remove(port) }
            try port.send(PortMessage())
            try expect(loop.run() == .handledSource && received.value == 0)
            try expect(loop.run(mode: "other", until: .distantPast) == .handledSource && received.value == 1)
        },
        Case("U-port-end", "a port may be released at its end, and use the server that forgot it") { _ in
            let names = MessagePortNameServer()
            let last = AtItsEnd { _ = try? names.port(named: "a") }
            let port = { [last] in Port { _ in last.keep() } }
            try expect(names.register(port(), as: "a"))
            try names.remove("a")
        },
    ]
}
