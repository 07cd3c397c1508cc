import Primitives

extension Case {
    private static func nothing() -> InputSource { InputSource {} }

    static let runLoops: [Case] = [
        Case("U1", "each thread has one loop, always the same, and every thread finds the main thread's") { _ in
            let main = RunLoop.current
            try expect(main === RunLoop.current)
            try expect(RunLoop.main === main)
            let thread = try Thread {
                try expect(RunLoop.current !== main && RunLoop.current === RunLoop.current)
                try expect(RunLoop.main === main)
            }
            try thread.join()
        },
        Case("U1-none", "the main thread's loop is made by the main thread") { _ in
            let thread = try Thread { try expectMisuse("wrong-thread") { _ = try RunLoop.main } }
            try thread.join()
        },
        Case("U2", "a loop that does not run is in no mode") { _ in
            try expect(RunLoop.current.currentMode == nil)
        },
        Case("U3", "a loop with nothing to watch returns at once") { _ in
            try expect(RunLoop.current.run() == .finished)
            try RunLoop.current.run(until: .distantFuture)
            try expect(RunLoop.current.limitDate() == nil)
            let thread = try Thread { try expect(RunLoop.current.run(mode: "other") == .finished) }
            try thread.join()
        },
        Case("U5", "a source keeps the loop waiting until the deadline, not less") { _ in
            try RunLoop.current.add(nothing())
            try expect(RunLoop.current.limitDate() == .distantFuture)
            let deadline = Instant.now + .milliseconds(2)
            try expect(RunLoop.current.run(until: deadline) == .timedOut)
            try expect(Instant.now >= deadline)
        },
        Case("U5-ever", "a loop with a source that is never signaled waits forever", endings: [.deadlock]) { _ in
            try RunLoop.current.add(nothing())
            try RunLoop.current.run()
        },
        Case("U6", "a run until a moment that has passed handles pending sources, and returns") { _ in
            let performed = Plain(0)
            let source = InputSource { performed.value += 1 }
            try RunLoop.current.add(source)
            try expect(RunLoop.current.run(until: .distantPast) == .timedOut)
            try expect(performed.value == 0)
            try source.signal()
            try expect(RunLoop.current.run(until: .distantPast) == .handledSource)
            try expect(performed.value == 1)
        },
        Case("U7", "run-until continues after each source, up to the deadline") { _ in
            let performed = Plain(0)
            let source = InputSource { performed.value += 1 }
            try RunLoop.current.add(source)
            try source.signal()
            let deadline = Instant.now + .milliseconds(2)
            let run: (Instant) throws -> Void = { try RunLoop.current.run(until: $0) }
            try run(deadline)
            try expect(performed.value == 1 && Instant.now >= deadline)
        },
        Case("U8", "another thread's loop is not run, nor are its sources changed") { _ in
            let main = RunLoop.current
            let thread = try Thread {
                try expectMisuse("wrong-thread") { try main.run(mode: .default, until: .distantPast) }
                try expectMisuse("wrong-thread") { try main.add(nothing()) }
                try expectMisuse("wrong-thread") { try main.remove(nothing()) }
                try expectMisuse("wrong-thread") { try main.addToCommonModes("other") }
            }
            try thread.join()
            try expect(main.run() == .finished)
        },
        Case("U9", "only what was added to the mode counts") { _ in
            let performed = Plain<[String]>([])
            let source = InputSource { performed.value.append("default") }
            let other = InputSource { performed.value.append("custom") }
            try RunLoop.current.add(source)
            try RunLoop.current.add(other, to: "custom")
            try source.signal()
            try other.signal()
            try expect(RunLoop.current.run(mode: "custom") == .handledSource)
            try expect(performed.value == ["custom"])
            try RunLoop.current.remove(other, from: "custom")
            try expect(RunLoop.current.run(mode: "custom") == .finished)
            try expect(RunLoop.current.run() == .handledSource)
        },
        Case("U10", "what was added to the common modes counts in each of them, and in no other") { _ in
            let performed = Plain(0)
            let source = InputSource { performed.value += 1 }
            try RunLoop.current.add(source, to: .common)
            try source.signal()
            try expect(RunLoop.current.run() == .handledSource)
            try expect(RunLoop.current.run(mode: "custom", until: .distantPast) == .finished)
            try RunLoop.current.addToCommonModes("custom")
            try source.signal()
            try expect(RunLoop.current.run(mode: "custom") == .handledSource)
            try expect(performed.value == 2)
        },
        Case("U11", "a handler sees the mode that its loop runs in") { _ in
            let seen = Plain<RunLoop.Mode?>(nil)
            let source = InputSource { seen.value = RunLoop.current.currentMode }
            try RunLoop.current.add(source, to: "custom")
            try source.signal()
            try RunLoop.current.run(mode: "custom")
            try expect(seen.value == "custom" && RunLoop.current.currentMode == nil)
        },
        Case("U13", "a signaled source is handled once, however often it was signaled, and ends the run") { _ in
            let performed = Plain(0)
            let source = InputSource { performed.value += 1 }
            try RunLoop.current.add(source)
            try source.signal()
            try source.signal()
            try expect(RunLoop.current.run() == .handledSource)
            try expect(RunLoop.current.run(until: .distantPast) == .timedOut)
            try expect(performed.value == 1)
        },
        Case(
            "U15", "a source is watched once in each mode it was added to, and notified of each addition and removal"
        ) { _ in
            let told = Plain<[String]>([])
            let source = InputSource(
                schedule: { _, mode in told.value.append("+\(mode.name)") },
                cancel: { _, mode in told.value.append("-\(mode.name)") }, perform: { told.value.append("!") })
            let loop = RunLoop.current
            for mode in ["a", "a", "b"] as [RunLoop.Mode] { try loop.add(source, to: mode) }
            try source.signal()
            try loop.run(mode: "a")
            for mode in ["a", "a", "b"] as [RunLoop.Mode] { try loop.remove(source, from: mode) }
            try expect(told.value == ["+a", "+b", "!", "-a", "-b"], "\(told.value)")
        },
        Case("U15-invalid", "invalidating a source drops it from every mode, and it can be in no loop any more") { _ in
            let told = Plain<[String]>([])
            let source = InputSource(
                cancel: { _, mode in told.value.append("-\(mode.name)") }, perform: { told.value.append("!") })
            let loop = RunLoop.current
            for mode in ["a", "b", .common] as [RunLoop.Mode] { try loop.add(source, to: mode) }
            try source.signal()
            try source.invalidate()
            try source.invalidate()
            try loop.add(source)
            try expect(!source.isValid && loop.run() == .finished && loop.run(mode: "a") == .finished)
            try expect(told.value == ["-a", "-b", "-common"], "\(told.value)")
        },
        Case("U15-other", "an item of one loop is neither added to another nor invalidated by another thread") { _ in
            let (source, timer, observer) = (nothing(), Timer(timeInterval: .zero) { _ in }, RunLoopObserver { _ in })
            let port = Port { _ in }
            let loop = RunLoop.current
            try loop.add(source)
            try loop.add(timer)
            try loop.add(observer)
            try loop.add(port)
            let thread = try Thread {
                try expectMisuse("wrong-thread") { try RunLoop.current.add(source) }
                try expectMisuse("wrong-thread") { try RunLoop.current.add(timer) }
                try expectMisuse("wrong-thread") { try source.invalidate() }
                try expectMisuse("wrong-thread") { try timer.invalidate() }
                try expectMisuse("wrong-thread") { try timer.setFireDate(.distantFuture) }
                try expectMisuse("wrong-thread") { try observer.invalidate() }
                try expectMisuse("wrong-thread") { try port.invalidate() }
            }
            try thread.join()
            try expect(source.isValid && timer.isValid && observer.isValid && port.isValid)
        },
        Case("U15-removed", "a source that an earlier handler removed is not handled after that") { _ in
            let loop = RunLoop.current
            let second = InputSource { try expect(false, "it is not handled") }
            let first = InputSource { try RunLoop.current.remove(second) }
            try loop.add(first)
            try loop.add(second)
            try first.signal()
            try second.signal()
            try expect(loop.run() == .handledSource)
        },
        Case("U18", "a signal with a wake-up reaches a loop that sleeps") { _ in try crossThread(wakes: true) },
        Case("U18-asleep", "a signal alone may leave the loop asleep", endings: [.completed, .deadlock]) { _ in
            try crossThread(wakes: false)
        },
        Case("U19", "a handler may run the loop again, in another mode, and the outer run continues after it") { _ in
            let modes = Plain<[String]>([])
            let inner = InputSource { modes.value.append(RunLoop.current.currentMode!.name) }
            let outer = InputSource {
                try inner.signal()
                try expect(RunLoop.current.run(mode: "inner") == .handledSource)
                modes.value.append(RunLoop.current.currentMode!.name)
            }
            try RunLoop.current.add(inner, to: "inner")
            try RunLoop.current.add(outer)
            try outer.signal()
            try expect(RunLoop.current.run() == .handledSource)
            try expect(modes.value == ["inner", "default"])
        },
        Case("U20", "a handler that stops the loop ends this run, and not the next") { _ in
            let loop = RunLoop.current
            let source = InputSource { try RunLoop.current.stop() }
            try loop.add(source)
            try source.signal()
            try expect(loop.run() == .stopped)
            try expect(loop.run(until: .distantPast) == .timedOut)
        },
        Case("U20-nested", "a stop ends the innermost run only") { _ in
            let loop = RunLoop.current
            let inner = InputSource { try RunLoop.current.stop() }
            let outer = InputSource {
                try inner.signal()
                try expect(RunLoop.current.run(mode: "inner") == .stopped)
            }
            try loop.add(inner, to: "inner")
            try loop.add(outer)
            try outer.signal()
            try expect(loop.run() == .handledSource)
        },
        Case("U20-thread", "another thread's stop ends the run, whether the loop is asleep or about to run") { _ in
            let loop = RunLoop.current
            try loop.add(nothing())
            let thread = try Thread { try loop.stop() }
            try expect(loop.run() == .stopped)
            try thread.join()
        },
        Case("U22", "the main thread's loop, with nothing to watch, is finished like any other") { _ in
            try expect(RunLoop.current.run(until: .distantFuture) == .finished)
        },
        Case("U-error", "an error of a handler leaves the run, and the loop is usable afterwards") { _ in
            let loop = RunLoop.current
            let source = InputSource { throw Failure() }
            try loop.add(source)
            try source.signal()
            do {
                try loop.run(mode: .default)
                try expect(false, "it throws")
            } catch is Failure {}
            try expect(loop.currentMode == nil)
            try expect(loop.run(until: .distantPast) == .timedOut)
        },
    ]

    /// The main thread signals a source of another thread's loop.
    private static func crossThread(wakes: Bool) throws {
        let loop = Plain<RunLoop?>(nil)
        let ready = try Semaphore(value: 0)
        let source = nothing()
        let thread = try Thread {
            try RunLoop.current.add(source)
            loop.value = .current
            try ready.signal()
            try expect(RunLoop.current.run() == .handledSource)
        }
        try ready.wait()
        try source.signal()
        if wakes { try loop.value!.wakeUp() }
        try thread.join()
    }
}
