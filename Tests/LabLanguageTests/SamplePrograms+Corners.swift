import Trace

extension SampleProgram {
    /// Typical mistakes of compilers.
    static let corners: [SampleProgram] = [
        SampleProgram(
            name: "exits from locks",
            text: """
                scenario "exits"
                mutex m, fork[2]
                rwlock rw
                shared total = 0
                func early(n: Int) -> Int {
                    lock m {
                        if n == 0 { return 7 }
                        lock fork[n - 1] { return n }
                    }
                    return 0
                }
                thread worker[2] {
                    let got = early(index)
                    assert got == 7 - 6 * index
                    for i in 0..<3 {
                        lock fork[index] {
                            if i == 0 { continue }
                            writing rw { total += i }
                            break
                        }
                    }
                    lock m { return }
                }
                finally { assert total == 2; assert m.tryLock(); m.unlock(); assert fork[1].tryLock(); fork[1].unlock() }
                expect completes
                """, outcomes: [.completed]),
        SampleProgram(
            name: "arrays of built objects",
            text: """
                scenario "arrays of built objects"
                barrier gate[2](2)
                once first[2]
                atomic runs[2] = 0, lasts = 0
                thread worker[4] {
                    let g = index / 2
                    once first[g] { runs[g].add(1) }
                    repeat 2 { if gate[g].wait() { lasts.add(1) } }
                    assert runs[g].load() == 1
                }
                finally { assert lasts.load() == 4 }
                expect completes
                """, outcomes: [.completed]),
        SampleProgram(
            name: "arrays of latches, and a barrier for fewer than come",
            text: """
                scenario "arrays of latches"
                latch stage[2](2), begin(1), open(0)
                barrier pairs(2)
                atomic before = 0, leaders = 0
                thread starter { begin.countDown(); begin.countDown() }
                thread worker[4] {
                    begin.wait()
                    open.wait()
                    if index < 2 { before.add(1) } else { stage[0].wait(); assert before.load() == 2 }
                    stage[index / 2].countDown()
                    let isLeader = pairs.wait()
                    if isLeader || false { leaders.add(1) }
                    assert 1 + leaders.load() > 0
                }
                finally { stage[1].wait(); assert leaders.load() == 2 }
                expect completes
                """, outcomes: [.completed]),
        SampleProgram(
            name: "exits from a once",
            text: """
                scenario "exits from a once"
                once o, each[3]
                mutex m
                atomic runs = 0
                func prepare() -> Bool {
                    once o {
                        lock m { runs.add(1); return true }
                    }
                    return false
                }
                thread worker[2] {
                    let isFirst = prepare()
                    if isFirst { assert runs.load() == 1 }
                    for i in 0..<3 {
                        once each[i] {
                            if i == 0 { continue }
                            if i == 1 { break }
                            runs.add(10)
                        }
                    }
                    once each[2] { return }
                    runs.add(100)
                }
                finally { assert runs.load() >= 1; assert m.tryLock(); m.unlock() }
                expect completes
                """, outcomes: [.completed]),
        SampleProgram(
            name: "await of a list and of a semaphore",
            text: """
                scenario "await of a list"
                shared box = []
                mutex m
                semaphore s = 0
                thread giver { lock m { box.append(3) }; s.signal() }
                thread taker { await s.value > 0; lock m { assert box.count == 1; assert box[0] == 3 } }
                thread watcher { await box.count == 1 }
                expect race
                """, outcomes: [.race]),
        SampleProgram(
            name: "timed waits",
            text: """
                scenario "timed waits"
                mutex m
                condition c with m
                semaphore s = 0
                shared ready = false
                atomic isLate = false
                thread waiter {
                    lock m {
                        while !ready {
                            if !c.wait(for: 10ms) { break }
                        }
                        assert !ready, "too early"
                    }
                    isLate.store(true)
                    let got = s.wait(for: 1ms)
                    assert !got
                }
                thread late { sleep 50ms; await isLate.load(); lock m { ready = true; c.signal() } }
                expect completes
                """, outcomes: [.completed]),
        SampleProgram(
            name: "arithmetic",
            text: """
                scenario "arithmetic"
                parameter last = 2
                mutex locks[2]
                atomic big = 9223372036854775806
                shared a[3] = [1, 2, 3], log = [5, 6]
                thread t {
                    var i = 0
                    a[i + 1] += 10
                    log[1] = a[1] * 2
                    log[0] -= 1
                    a[last] += 1
                    lock locks[last - 1] { a[last - 1] += 0 }
                    assert a[2] == 4
                    assert a[1] == 12 && log[1] == 24 && log[0] == 4
                    assert log == [4, 24]
                    i = -7 / 2
                    assert i == -3 && -7 % 2 == -1 && 1 << 4 == 16 && ~0 == -1
                    assert big.compareExchange(9223372036854775806, 1)
                    assert !big.compareExchange(5, 6)
                    assert big.exchange(9223372036854775807) == 1
                    for k in 9223372036854775806...9223372036854775807 { i = k }
                    assert i == 9223372036854775807
                    if choose(2) == 1 { big.add(1) }
                }
                finally { assert locks[1].tryLock(); locks[1].unlock() }
                expect error
                """, outcomes: [.error, .completed]),
        SampleProgram(
            name: "constant out of bounds",
            text: """
                scenario "constant out of bounds"
                parameter last = 2
                mutex locks[2]
                once first[2]
                shared a[2] = 0, log = []
                thread t {
                    let k = choose(4)
                    if k == 0 { a[last] += 1 }
                    if k == 1 { lock locks[last] { a[0] = 1 } }
                    if k == 2 { once first[last] { a[0] = 1 } }
                    if k == 3 { log[0] += 1 }
                }
                expect error
                """, outcomes: [.error]),
        SampleProgram(
            name: "a join of a later thread",
            text: """
                scenario "a join of a later thread"
                thread boss { join helper }
                thread helper { yield }
                expect completes
                """, outcomes: [.completed]),
    ]
}
