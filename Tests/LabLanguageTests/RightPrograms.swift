/// Programs that are valid, without messages. The first ones are the language's first programs.
enum RightPrograms {
    static let all = first + more

    private static let first = [
        #"""
        /// Two threads each add one to a counter, without a lock.
        scenario "lost update"

        shared count = 0                      // plain memory: unsynchronized access is a race, and each access is a step

        thread adder[2] {                     // two threads, adder[0] and adder[1]; `index` is 0 or 1 inside
            let seen = count
            count = seen + 1
        }

        finally { assert count == 2 }         // runs when all threads have ended

        expect race, assertion                // what exploration must be able to find; `expect completes` means: nothing, ever
        """#,
        #"""
        /// Two locks, taken in opposite orders.
        scenario "opposite orders"
        mutex a, b
        thread first  { a.lock(); b.lock(); b.unlock(); a.unlock() }
        thread second { lock b { lock a { } } }          // `lock m { … }` unlocks on every path
        expect deadlock
        """#,
        #"""
        /// A bounded buffer with one condition too few: signal may wake a thread of the wrong kind.
        scenario "one condition for two predicates"
        parameter capacity = 1
        mutex m
        condition changed with m
        shared buffer = []                               // a list: append, removeFirst, count, [i]
        thread producer[2] {
            lock m {
                while buffer.count == capacity { changed.wait() }
                buffer.append(index)
                changed.signal()
            }
        }
        thread consumer[2] {
            lock m {
                while buffer.count == 0 { changed.wait() }
                let item = buffer.removeFirst()
                changed.signal()
            }
        }
        expect deadlock
        """#,
        #"""
        /// Peterson's algorithm keeps two threads out of the critical section at the same time.
        scenario "peterson"
        atomic flag[2] = false, turn = 0                 // atomics default to seqcst
        shared inside = 0
        thread worker[2] {
            let other = 1 - index
            flag[index].store(true)
            turn.store(other)
            await !(flag[other].load() && turn.load() == other)     // blocks until true: a spin that the explorer need not unroll
            inside = inside + 1
            assert inside == 1
            inside = inside - 1
            flag[index].store(false)
        }
        expect completes
        """#,
        #"""
        /// A built-in scenario with its parameters: the way a CI suite pins a configuration.
        scenario "three consumers, tiny buffer"
        run producer-consumer(producers: 1, consumers: 3, capacity: 1, items: 6, variant: conditions)
        expect completes
        """#,
    ]

    private static let more = [
        #"""
        scenario "every statement"
        parameter n = 3 in 1...8
        parameter isLoud = true
        parameter pause: Duration = 5ms in 0ms...1s
        shared x = 0, cells[n] = 0, flags[2] = [true, false]
        shared items = [1, 2], switches: [Bool] = []
        recursive mutex again
        checking mutex strict
        mutex m, forks[n]
        rwlock r
        writersFirst rwlock w
        semaphore s = 1, turns[2] = [1, 0]
        condition full, empty with m
        barrier b(n), pairs[2](2)
        latch ready(n), open(0), ends[n](1)
        once setup, steps[2]
        func sum(first: Int, second: Int) -> Int { return first + second }
        func set(value: Bool) { if value { x = 1 } else { x = 0 } }
        thread worker[n] {
            var i = 0
            let limit = index * 2 + 1
            while i < limit {
                i += 1
                if i == 2 { continue } else if i > 5 { break }
            }
            for k in 0..<n { cells[k] += k }
            for k in 1 ... n { cells[k - 1] -= k }
            repeat n { yield }
            lock forks[index] { lock forks[(index + 1) % n] { set(isLoud) } }
            reading r { x = cells[0] }
            writing w { x = sum(1, x) }
            once setup { x = 100 }
            once steps[index % 2] { if x == 1 { return } }
            ready.countDown(); ready.wait()
            open.wait(); ends[index].countDown()
            pairs[index / 2].wait()
            if b.wait() { note "last is \(index) of \(n), \(x > 3)" }
            if m.lock(for: 10ms) {
                if !full.wait(for: pause) { empty.broadcast() }
                full.signal()
                m.unlock()
            }
            while !again.tryLock() { sleep pause }
            again.unlock()
            strict.lock(); strict.unlock()
            if s.wait(for: 1.5s) { s.signal() }
            turns[0].wait(); turns[1].signal()
            if s.tryWait() { s.signal() }
            r.readLock(); r.unlock()
            if w.tryReadLock() { w.unlock() }
            items.append(choose(3)); items[0] = items.removeLast()
            if !items.isEmpty && items != [1] { items.removeAll() }
            switches.append(flags[0] || items.count > s.value)
            assert switches.count >= 1, "there are \(switches.count)"
            if switches[0] { return }
        }
        """#,
        #"""
        scenario "atomics"
        atomic next = 0, serving = 0, isSet = false
        thread t[2] {
            let mine = next.add(1)
            await serving.load(seqcst) == mine
            let before = next.exchange(7, seqcst)
            if next.compareExchange(expected: before, desired: 0) { next.bitOr(1); next.bitAnd(~1); next.bitXor(1) }
            while !isSet.compareExchange(false, true, seqcst, seqcst) { yield }
            serving.store(serving.load() + 1)
        }
        expect sometimes next == 0 && !isSet
        expect broken never next == 0
        expect broken invariant serving <= 1
        expect never serving.load() > 2
        """#,
        #"""
        scenario "memory orders"
        atomic x = 0, isSet = false
        shared fence = 1, sc = 2
        func next(order: Int) -> Int { return order + sc }
        thread t[2] {
            x.store(1, relaxed)
            x.store(x.load(acquire), release)
            await x.load(relaxed) > 0
            if x.compareExchange(expected: 1, desired: 2, acqRel, relaxed) { x.bitOr(4, acquire) }
            while !isSet.compareExchange(false, true, acqrel) { yield }
            let relaxed = next(order: fence)
            x.store(relaxed, seqcst)
        }
        expect under sc always fence == 1
        """#,
        #"""
        scenario "fences"
        atomic x = 0
        thread t { fence(acquire); fence(release); x.add(1, relaxed); fence(acqRel); fence(seqcst); fence(acqrel) }
        expect completes
        """#,
        #"""
        scenario "a function named fence"
        shared x = 0
        func fence(n: Int) { x += n }
        thread t { fence(1) }
        expect completes
        """#,
        #"""
        scenario "given and task are names, too"
        given shared count = 0, log: [Bool] = []
        given recursive mutex m
        given func add(n: Int) -> Int { count += n; return count }
        given thread t { lock m { note "here" } }
        shared given = 1, task = 2, at = 3, most = 4, no = 5, each = 6, calls = 7, busy = 8, possible = 9
        thread u { given = task; task += at + most; at = no + each + calls + busy + possible + add(n: given) }
        expect possible given == 2 && task > 2
        expect possible log == []
        task { at most 2 mutexes, 1 barrier, 0 onces; no sleep, spawn, downgrade, busy waiting; each u calls add }
        """#,
        #"""
        scenario "threads that threads start"
        shared log = []
        thread parent {
            spawn child
            spawn helper[0]
            join child
            join helper[0]
            detach helper[1]
        }
        thread child { log.append(1) }
        thread helper[2] { log.append(2) }
        finally { assert log.count > 1 || log == [] }
        expect misuse
        expect always log.count <= 3
        expect outcomes { log == [1, 2, 2]; log == [2, 1, 2]; log == [2, 2, 1] }
        expect under seqcst never log == [7]
        """#,
        #"""
        scenario "words that are names elsewhere"
        shared read = 0, write = 0, weak = 1, reading = 2, always = 3, recursive = 4
        thread t { read = write + weak; reading = always; recursive = reading }
        finally { assert recursive == read - -1 && reading > -1 }
        """#,
        #"""
        scenario "lines"
        shared x = 0, y = 0
        thread t {
            x = 1 +
                2
            x = y
                + 3
                - 4
            if x == 1
                && y == 2 { x = 5 }
            else { x = 6 }
            ; y = x; ;
        }
        """#,
    ]
}
