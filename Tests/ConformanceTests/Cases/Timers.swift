import Primitives

extension Case {
    static let timers: [Case] = [
        Case("U4", "a timer keeps the loop running until the deadline, and gives the limit date") { _ in
            let loop = RunLoop.current
            let timer = Timer(timeInterval: .seconds(100)) { _ in }
            try loop.add(timer)
            try expect(loop.limitDate() == timer.fireDate && loop.limitDate(in: "other") == nil)
            let deadline = Instant.now + .milliseconds(2)
            try expect(loop.run(until: deadline) == .timedOut)
            try expect(Instant.now >= deadline && timer.isValid)
        },
        Case("U6-timer", "a run until a moment that has passed fires the timers that are due") { _ in
            let fired = Plain(0)
            try Timer.scheduled(timeInterval: .zero, repeats: false) { _ in fired.value += 1 }
            try Timer.scheduled(timeInterval: .seconds(100)) { _ in fired.value += 10 }
            try expect(RunLoop.current.run(until: .distantPast) == .timedOut)
            try expect(fired.value == 1)
        },
        Case("U9-timer", "only timers of the mode fire, those of the common modes in each of them") { _ in
            let fired = Plain<[String]>([])
            let loop = RunLoop.current
            for mode in [.default, "custom", .common] as [RunLoop.Mode] {
                try loop.add(Timer(timeInterval: .zero) { _ in fired.value.append(mode.name) }, to: mode)
            }
            try expect(loop.run(mode: "custom") == .finished)
            try expect(fired.value == ["custom"])
            try expect(loop.run() == .finished)
            try expect(fired.value == ["custom", "default", "common"], "\(fired.value)")
        },
        Case("U12", "a timer does not end the run, which lasts until the deadline") { _ in
            let fired = Plain(0)
            try RunLoop.current.add(InputSource {})
            try Timer.scheduled(timeInterval: .milliseconds(1)) { _ in fired.value += 1 }
            let deadline = Instant.now + .milliseconds(3)
            try expect(RunLoop.current.run(until: deadline) == .timedOut)
            try expect(fired.value == 1 && Instant.now >= deadline)
        },
        Case("U20-timer", "a timer's handler that stops the loop ends the run") { _ in
            try Timer.scheduled(timeInterval: .milliseconds(1), repeats: true) { _ in try RunLoop.current.stop() }
            try expect(RunLoop.current.run() == .stopped)
        },
        Case("U19-timer", "a timer whose handler runs the loop again does not fire in that run, but others do") { _ in
            let fired = Plain<[String]>([])
            try Timer.scheduled(timeInterval: .milliseconds(1), repeats: true) { timer in
                try timer.invalidateAfter(fired.value.contains("outer"))
                fired.value.append("outer")
                try Timer.scheduled(timeInterval: .zero) { _ in fired.value.append("inner") }
                try RunLoop.current.run(until: .distantPast)
            }
            try expect(RunLoop.current.run() == .finished)
            try expect(fired.value == ["outer", "inner", "outer", "inner"], "\(fired.value)")
        },
        Case("I1", "a timer that does not repeat fires once, and then is invalid; its interval is zero") { _ in
            let fired = Plain(0)
            let timer = try Timer.scheduled(timeInterval: .milliseconds(1)) { _ in fired.value += 1 }
            try expect(timer.isValid && timer.timeInterval == .zero)
            try expect(RunLoop.current.run() == .finished)
            try expect(!timer.isValid && fired.value == 1)
            try RunLoop.current.add(timer)
            try expect(RunLoop.current.run() == .finished)
        },
        Case("I2", "a repeating timer fires until it is invalidated, each time at a multiple of its interval") { _ in
            let times = Plain<[Instant]>([])
            let timer = try Timer.scheduled(timeInterval: .milliseconds(1), repeats: true) { timer in
                try expect(Instant.now >= timer.fireDate, "it fires too early")
                times.value.append(timer.fireDate)
                if times.value.count == 3 { try timer.invalidate() }
            }
            let first = timer.fireDate
            try expect(RunLoop.current.run() == .finished)
            try expect(times.value.first == first && times.value.count == 3)
            try expectGrid(times.value, from: first)
        },
        Case("I2-exact", "under the scheduler it fires exactly then", runsOnRealThreads: false) { _ in
            let times = Plain<[Duration]>([])
            let start = Instant.now
            try Timer.scheduled(timeInterval: .nanoseconds(333_333), repeats: true) { timer in
                times.value.append(Instant.now - start)
                try Thread.sleep(for: .nanoseconds(7))
                if times.value.count == 3 { try timer.invalidate() }
            }
            try expect(RunLoop.current.run() == .finished)
            try expect(times.value == [333_333, 666_666, 999_999].map(Duration.nanoseconds), "\(times.value)")
        },
        Case("I3", "a repeating timer that its handler invalidates does not fire again") { _ in
            let fired = Plain(0)
            let timer = try Timer.scheduled(timeInterval: .milliseconds(1), repeats: true) { timer in
                try expect(timer.isValid)
                try timer.invalidate()
                fired.value += 1
            }
            try RunLoop.current.add(timer, to: "other")
            try expect(RunLoop.current.run() == .finished && RunLoop.current.run(mode: "other") == .finished)
            try expect(!timer.isValid && fired.value == 1)
        },
        Case("I3-other", "a timer that is due is not fired once an earlier handler has invalidated it") { _ in
            let second = Timer(fire: .now + .nanoseconds(1)) { _ in try expect(false, "it is invalid") }
            try RunLoop.current.add(second)
            try RunLoop.current.add(Timer(fire: .distantPast) { _ in try second.invalidate() })
            try Thread.sleep(for: .milliseconds(1))
            try expect(RunLoop.current.run() == .finished)
        },
        Case("I4", "a timer does not fire before its time") { _ in
            let due = Instant.now + .milliseconds(2)
            try RunLoop.current.add(Timer(fire: due) { _ in try expect(Instant.now >= due) })
            try expect(RunLoop.current.run() == .finished)
            try expect(Instant.now >= due)
        },
        Case("I5", "a timer whose planned times have passed fires once for them, and next at a planned time") { _ in
            let times = Plain<[Instant]>([])
            let source = InputSource { try Thread.sleep(for: .milliseconds(5)) }
            try RunLoop.current.add(source)
            let timer = try Timer.scheduled(timeInterval: .milliseconds(1), repeats: true) { timer in
                try expect(times.value.last.map { timer.fireDate > $0 } ?? true)
                times.value.append(Instant.now)
                if times.value.count == 3 { try timer.invalidate() }
            }
            let first = timer.fireDate
            try source.signal()
            while timer.isValid { try RunLoop.current.run(until: .now + .seconds(1)) }
            // The source's handler took five intervals, in which there was no fire, and no burst made up for them.
            try expect(times.value[0] - first >= .milliseconds(3))
            try expectGrid([timer.fireDate], from: first)
        },
        Case("I5-exact", "under the scheduler: 100, then busy until 550, 600, 700", runsOnRealThreads: false) { _ in
            let times = Plain<[Duration]>([])
            let start = Instant.now
            try Timer.scheduled(timeInterval: .milliseconds(100), repeats: true) { timer in
                times.value.append(Instant.now - start)
                if times.value.count == 2 { try Thread.sleep(for: .milliseconds(350)) }
                if times.value.count == 4 { try timer.invalidate() }
            }
            try expect(RunLoop.current.run() == .finished)
            try expect(times.value == [100, 200, 600, 700].map(Duration.milliseconds), "\(times.value)")
        },
        Case("I5-late", "under the scheduler: busy elsewhere until 550, then 550, 600", runsOnRealThreads: false) { _ in
            let times = Plain<[Duration]>([])
            let start = Instant.now
            try Timer.scheduled(timeInterval: .milliseconds(100), repeats: true) { timer in
                times.value.append(Instant.now - start)
                if times.value.count == 2 { try timer.invalidate() }
            }
            try Thread.sleep(for: .milliseconds(550))
            try expect(RunLoop.current.run() == .finished)
            try expect(times.value == [550, 600].map(Duration.milliseconds), "\(times.value)")
        },
        Case("I6", "a timer that is added by hand first fires one interval after it was made") { _ in
            let before = Instant.now
            let timer = Timer(timeInterval: .milliseconds(2), repeats: true) { timer in
                try expect(Instant.now >= timer.fireDate)
                try timer.invalidate()
            }
            try expect(timer.fireDate - before >= .milliseconds(2) && timer.fireDate - .now <= .milliseconds(2))
            try RunLoop.current.add(timer)
            try expect(RunLoop.current.run() == .finished)
        },
        Case("I7", "a timer keeps the date that it is made with, and another that it is given") { _ in
            let date = Instant.now + .seconds(50)
            let timer = Timer(fire: date, interval: .seconds(1), repeats: true) { timer in try timer.invalidate() }
            try expect(timer.fireDate == date && timer.timeInterval == .seconds(1))
            try timer.setFireDate(.distantPast)
            try RunLoop.current.add(timer)
            try expect(RunLoop.current.run() == .finished)
        },
        Case("I-fire", "a fire by hand leaves the plan as it is, and ends a timer that does not repeat") { _ in
            let fired = Plain(0)
            let timer = Timer(timeInterval: .seconds(9), repeats: true) { _ in fired.value += 1 }
            let date = timer.fireDate
            try timer.fire()
            try expect(timer.isValid && timer.fireDate == date)
            let once = Timer(timeInterval: .seconds(9)) { _ in fired.value += 1 }
            try once.fire()
            try once.fire()
            try expect(!once.isValid && fired.value == 2)
        },
        Case("I-tolerance", "a tolerance lets the loop wake up once for two timers", runsOnRealThreads: false) { _ in
            let times = Plain<[Duration]>([])
            let start = Instant.now
            let first = Timer(timeInterval: .milliseconds(10)) { _ in times.value.append(Instant.now - start) }
            try first.setTolerance(.milliseconds(5))
            try RunLoop.current.add(first)
            try Timer.scheduled(timeInterval: .milliseconds(12)) { _ in times.value.append(Instant.now - start) }
            try expect(RunLoop.current.run() == .finished)
            try expect(times.value == [12, 12].map(Duration.milliseconds), "\(times.value)")
        },
    ]

    /// Every time must be a whole number of milliseconds after the first.
    private static func expectGrid(_ times: [Instant], from first: Instant) throws {
        for time in times {
            let (_, attoseconds) = (time - first).components
            try expect(attoseconds % 1_000_000_000_000_000 == 0, "planned for \(time - first) after the first")
        }
    }
}

extension Timer {
    fileprivate func invalidateAfter(_ isLast: Bool) throws { if isLast { try invalidate() } }
}
