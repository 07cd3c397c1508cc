import LabSyntax

/// What a class hands in: three tasks, and sixty submissions that differ from their task in a line or two. Half of them are solutions; the
/// others evade the task in some way.
struct HandedIn: CustomStringConvertible, Sendable {
    let task: String
    let name: String
    let isSolution: Bool
    /// Lines of the task, and what is in their place.
    let changes: [(line: String, new: String)]

    var description: String { name }

    var text: String {
        changes.reduce(task) { text, change in
            precondition(text.contains(change.line + "\n"), "\(name): the task has no line '\(change.line)'")
            return text.replacing(change.line + "\n", with: change.new + "\n")
        }
    }

    private static func of(
        _ task: String, _ isSolution: Bool, _ all: KeyValuePairs<String, [(line: String, new: String)]>
    ) -> [Self] {
        all.map { Self(task: task, name: $0.key, isSolution: isSolution, changes: $0.value) }
    }

    static let all =
        of(count, true, countSolutions) + of(count, false, countCheats) + of(handOver, true, handOverSolutions)
        + of(handOver, false, handOverCheats) + of(ticket, true, ticketSolutions) + of(ticket, false, ticketCheats)

    // MARK: - Count together

    private static let count = """
        scenario "count together"
        given shared count = 0
        given atomic inside[2] = 0
        given func enter(me: Int) { inside[me].store(1) }
        given func leave(me: Int) { inside[me].store(0) }
        given func add() { count += 1 }
        mutex m
        thread adder[2] {
            enter(index)
            leave(index)
            add()
        }
        finally { assert count == 2 }
        expect completes
        expect possible inside[0] == 1 && inside[1] == 1
        task {
            at most 1 mutex
            no busy waiting, sleep
            each adder calls enter
            each adder calls add
        }

        """

    private static let add = "    add()"
    private static let mutex = "mutex m"
    private static let enter = "    enter(index)"

    private static let countSolutions: KeyValuePairs<String, [(line: String, new: String)]> = [
        "a block with a lock": [(add, "    lock m { add() }")],
        "lock and unlock": [(add, "    m.lock(); add(); m.unlock()")],
        "a lock with a note": [(add, "    lock m { note \"mine\"; add() }")],
        "tryLock first": [(add, "    if m.tryLock() { add(); m.unlock() } else { lock m { add() } }")],
        "a function of its own": [(mutex, "mutex m\nfunc safe() { lock m { add() } }"), (add, "    safe()")],
        "the addition first": [(enter, "    lock m { add() }\n    enter(index)"), (add, "    note \"done\"")],
        "a semaphore": [(mutex, "semaphore s = 1"), (add, "    s.wait(); add(); s.signal()")],
        "turns": [(mutex, "atomic turn = 0"), (add, "    await turn.load() == index\n    add()\n    turn.add(1)")],
        "without the claims": [(add, "    lock m { add() }"), ("expect completes", "")],
        "another name of the lock": [(mutex, "mutex guard"), (add, "    lock guard { add() }")],
    ]

    private static let countCheats: KeyValuePairs<String, [(line: String, new: String)]> = [
        "nothing": [],
        "a claim that is always true": [("finally { assert count == 2 }", "finally { assert count >= 0 }")],
        "a race is expected": [("expect completes", "expect race, assertion, completes")],
        "all under one lock": [(enter, "    m.lock(); enter(index)"), (add, "    add(); m.unlock()")],
        "one thread": [("thread adder[2] {", "thread adder[1] {")],
        "a constant": [("given func add() { count += 1 }", "given func add() { count = 2 }")],
        "the result from the start": [("given shared count = 0", "given shared count = 2")],
        "an atomic in the place of the variable": [("given shared count = 0", "given atomic count = 0")],
        "one thread does all": [(add, "    if index == 0 { add(); add() }")],
        "two locks": [
            (mutex, "mutex m, k"), (add, "    if index == 0 { lock m { add() } } else { lock k { add() } }"),
        ],
        "a loop around tryLock": [(add, "    while !m.tryLock() { }\n    add()\n    m.unlock()")],
        "a sleep": [(add, "    if index == 1 { sleep 10ms }\n    add()")],
    ]

    // MARK: - Hand over

    private static let handOver = """
        scenario "hand over"
        given shared value = 0, got = 0
        given func put() { value = 7 }
        given func get() { assert value == 7; got = value }
        atomic own = 0
        thread producer {
            put()
        }
        thread consumer {
            get()
        }
        finally { assert got == 7 }
        expect completes
        task {
            no busy waiting, sleep, yield
            each producer calls put
            each consumer calls get
        }

        """

    private static let put = "    put()"
    private static let get = "    get()"
    private static let own = "atomic own = 0"

    private static let handOverSolutions: KeyValuePairs<String, [(line: String, new: String)]> = [
        "one permit": [
            (own, "semaphore full = 0"), (put, "    put(); full.signal()"), (get, "    full.wait(); get()"),
        ],
        "two permits": [
            (own, "semaphore full = 0"), (put, "    put(); full.signal(); full.signal()"),
            (get, "    full.wait(); get()"),
        ],
        "a latch": [
            (own, "latch full(1)"), (put, "    put(); full.countDown()"), (get, "    full.wait(); get()"),
        ],
        "a barrier": [(own, "barrier both(2)"), (put, "    put(); both.wait()"), (get, "    both.wait(); get()")],
        "an atomic and await": [(put, "    put(); own.store(1)"), (get, "    await own.load() == 1\n    get()")],
        "an exchange and await": [(put, "    put(); own.exchange(3)"), (get, "    await own.load() > 2\n    get()")],
        "a condition": [
            (own, condition), (put, "    lock m { put(); done = true; c.signal() }"),
            (get, "    lock m { while !done { c.wait() }; get() }"),
        ],
        "a condition with broadcast": [
            (own, condition), (put, "    lock m { put(); done = true; c.broadcast() }"),
            (get, "    lock m { while !done { c.wait() }; get() }"),
        ],
        "the value outside of the lock": [
            (own, condition), (put, "    put()\n    lock m { done = true; c.signal() }"),
            (get, "    lock m { while !done { c.wait() } }\n    get()"),
        ],
        "the signal outside of the lock": [
            (own, condition), (put, "    lock m { put(); done = true }\n    c.signal()"),
            (get, "    lock m { while !done { c.wait() }; get() }"),
        ],
    ]

    private static let condition = "mutex m\ncondition c with m\nshared done = false"

    private static let handOverCheats: KeyValuePairs<String, [(line: String, new: String)]> = [
        "no waiting": [],
        "a sleep before": [(get, "    sleep 1s\n    get()")],
        "a loop": [(put, "    put(); own.store(1)"), (get, "    while own.load() == 0 { }\n    get()")],
        "a loop that yields": [
            (put, "    put(); own.store(1)"), (get, "    while own.load() == 0 { yield }\n    get()"),
        ],
        "the value from the start": [("given shared value = 0, got = 0", "given shared value = 7, got = 7")],
        "a check less": [
            ("given func get() { assert value == 7; got = value }", "given func get() { got = 7 }")
        ],
        "only if it is there": [(get, "    if value == 7 { get() }")],
        "one thread waits for the end of the other": [(get, "    join producer\n    get()")],
        "a lock around each": [(own, "mutex m"), (put, "    lock m { put() }"), (get, "    lock m { get() }")],
        "the permit too early": [
            (own, "semaphore full = 0"), (put, "    full.signal(); put()"), (get, "    full.wait(); get()"),
        ],
        "the permit from the start": [(own, "semaphore full = 1"), (get, "    full.wait(); get()")],
    ]

    // MARK: - Draw a ticket

    private static let ticket = """
        scenario "draw a ticket"
        given atomic isDrawn[4] = false
        shared next = 0
        func draw() -> Int {
            let ticket = next; next = ticket + 1
            return ticket
        }
        given thread desk[2] {
            repeat 2 {
                let ticket = draw()
                assert !isDrawn[ticket].exchange(true)
            }
        }
        finally { assert isDrawn[0].load() && isDrawn[1].load() && isDrawn[2].load() && isDrawn[3].load() }
        expect completes
        task {
            at most 1 mutex, 0 semaphores
            no busy waiting
        }

        """

    private static let next = "shared next = 0"
    private static let read = "    let ticket = next; next = ticket + 1"
    private static let result = "    return ticket"
    private static let atomic = "atomic next = 0"

    private static let ticketSolutions: KeyValuePairs<String, [(line: String, new: String)]> = [
        "an addition": [(next, atomic), (read, "    let ticket = next.add(1)")],
        "an addition at the end": [(next, atomic), (read, ""), (result, "    return next.add(1)")],
        "a lock": [
            (next, "shared next = 0\nmutex m"), (read, "    m.lock(); let ticket = next; next += 1; m.unlock()"),
        ],
        "a lock and one return": [
            (next, "shared next = 0\nmutex m"), (read, "    var ticket = 0\n    lock m { ticket = next; next += 1 }"),
        ],
        "backward": [(next, "atomic next = 3"), (read, "    let ticket = next.add(-1)")],
        "by tens": [(next, atomic), (read, "    let ticket = next.add(10)"), (result, "    return ticket / 10")],
        "compareExchange in a loop": [
            (next, atomic),
            (
                read,
                "    var ticket = next.load()\n    while !next.compareExchange(ticket, ticket + 1) { ticket = next.load() }"
            ),
        ],
        "a compareExchange for each ticket": [
            (next, "atomic taken[4] = false"), (read, "    var ticket = 0"),
            (result, "    while taken[ticket].exchange(true) { ticket += 1 }\n    return ticket"),
        ],
        "a recursive lock": [
            (next, "shared next = 0\nrecursive mutex m"),
            (read, "    m.lock(); let ticket = next; next += 1; m.unlock()"),
        ],
        "an addition, twice one": [
            (next, atomic), (read, "    let ticket = next.add(2)"), (result, "    return ticket / 2"),
        ],
    ]

    private static let ticketCheats: KeyValuePairs<String, [(line: String, new: String)]> = [
        "load and store": [(next, atomic), (read, "    let ticket = next.load(); next.store(ticket + 1)")],
        "a constant ticket": [(result, "    return 0")],
        "fewer tickets": [("    repeat 2 {", "    repeat 1 {")],
        "one desk": [("given thread desk[2] {", "given thread desk[1] {")],
        "no check": [("        assert !isDrawn[ticket].exchange(true)", "        isDrawn[ticket].store(true)")],
        "all drawn already": [("given atomic isDrawn[4] = false", "given atomic isDrawn[4] = true")],
        "the thread is its own": [("given thread desk[2] {", "thread desk[2] {")],
    ]
}
