/// Programs that are small enough to try everything.
enum SmallPrograms {
    static let all = [
        "shared x = 0\nthread t[2] { x += 1 }",
        "shared x = 0\nthread t[3] { x = index }",
        "mutex a, b\nthread p { lock a { lock b { } } }\nthread q { lock b { lock a { } } }",
        "mutex m\nshared x = 0\nthread t[2] { repeat 2 { lock m { x += 1 } } }",
        "atomic x = 0\nthread a { x.store(1); x.store(2) }\nthread b { await x.load() == 2 }\nthread c { x.add(1) }",
        "thread a { let n = choose(3); sleep 5ms; note \"\\(n)\" }\nthread b { sleep 5ms }",
        """
        mutex m
        condition c with m
        shared isReady = false
        thread waiter[2] { lock m { if !isReady { c.wait() } } }
        thread waker { lock m { isReady = true; c.signal() } }
        """,
        "semaphore s = 1\nthread t[2] { if s.tryWait() { s.signal() } }",
        "rwlock l\nthread r[2] { reading l { } }\nthread w { writing l { } }",
        "mutex m\nthread t[2] { if m.lock(for: 1ms) { sleep 2ms; m.unlock() } }",
    ]

    /// Some with a race and some without, with every kind of synchronization.
    static let withCells = [
        "shared x = 0\nthread t[2] { x += 1 }",
        "mutex m\nshared x = 0, y = 0\nthread t[3] { lock m { x += 1 }; y = x }",
        "mutex m, n\nshared x = 0\nthread a { lock m { x = 1 } }\nthread b { lock n { x = 2 } }",
        "rwlock l\nshared x = 0\nthread r[2] { reading l { note \"\\(x)\" } }\nthread w { writing l { x = 1 }; x = 2 }",
        "rwlock l\nshared x = 0\nthread r[2] { reading l { x = 1 } }\nthread w { if l.tryWriteLock() { x = 1; l.unlock() } }",
        "writersFirst rwlock l\nshared x = 0\nthread r[2] { if l.tryReadLock() { note \"\\(x)\"; l.unlock() } }\nthread w { writing l { x = 1 } }",
        "semaphore s = 0\nshared x = 0\nthread a { x = 1; s.signal() }\nthread b { s.signal() }\nthread c { s.wait(); x = 2 }",
        "atomic gate = 0\nshared x = 0\nthread a { x = 1; gate.store(1) }\nthread b { if gate.load() == 1 { x = 2 } }\nthread c { gate.add(2) }",
        "atomic gate = 0\nshared x = 0\nthread t[2] { if gate.compareExchange(expected: 0, desired: 1) { x = 1 } else { x = 2 } }",
        "atomic gate = 0\nshared x = 0\nthread t[2] { x = 1; gate.bitOr(1) }\nthread u { await gate.load() == 1; x = 2 }",
        "shared x = 0\nthread parent { x = 1; spawn child; let seen = x; join child; x = seen }\nthread child { x += 1 }",
        "shared x = 0\nthread parent { spawn child; detach child }\nthread child { x = 1 }\nthread other { x = 2 }",
        """
        mutex m
        condition c with m
        shared x = 0, isReady = false
        thread waiter { lock m { while !isReady { if !c.wait(for: 1ms) { isReady = true } } }; x = 1 }
        thread waker { x = 2; lock m { isReady = true; c.signal() } }
        """,
        "mutex m\nshared x = 0\nthread t[2] { if m.tryLock() { x += 1; m.unlock() } else { x = 5 } }",
        "recursive mutex m\nshared x = 0\nthread t[2] { lock m { lock m { x += 1 }; x += 1 } }",
        "mutex m\nshared x = 0\nthread t[2] { if m.lock(for: 1ms) { x += 1; sleep 2ms; m.unlock() } else { x = 0 } }",
        "barrier meeting(3)\nshared x[3] = 0\nthread t[3] { x[index] = 1; meeting.wait(); note \"\\(x[(index + 1) % 3])\" }",
        "once setup\nshared x = 0\nthread t[3] { once setup { x = 1 }; assert x == 1 }",
        "shared log = []\nthread t[2] { log.append(index) }",
        "shared x = 0\nthread t[20] { let seen = x; if index == 13 { x = seen } }",
    ]
}
