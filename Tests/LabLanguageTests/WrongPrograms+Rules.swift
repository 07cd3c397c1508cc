extension WrongPrograms {
    static let rules = [
        #"""
        scenario "what a specification cannot have"
        mutex m
        shared x = 0
        func get() -> Int { return x }
        func put(value: Int) { x = value }
        thread t { put(get()) }
        specification {
            shared x = 0
            func get() -> Bool { return x == 0 }
            func put(value: Int) { lock m { x = value } }
        //!                             ^ error: there is no mutex 'm' | a specification has variables and functions of its own
            func set(value: Int) { sleep 1ms }
        //!      ^~~ error: a specification's function has one result and takes no time: 'sleep' has no place in it
        }
        specification { func put(value: Int) {} }
        //!@1 error: there is a second 'specification'
        expect linearizable
        """#,
        #"""
        scenario "what a specification must say"
        shared x = 0
        func get() -> Int { return x }
        func put(value: Int) { x = value }
        func both() -> Int { put(1); return get() }
        //!  ^~~~ error: 'both' calls 'get', which is specified: only calls by threads can be linearized | specify 'both' too, or call 'get' in the threads
        thread t { note "\(both()) \(get())" }
        specification {
            func get() -> Bool { return true }
        //!      ^~~ error: 'get' has other parameters or another result than the function that it specifies
            func got() {}
        //!      ^~~ error: there is no function 'got' | did you mean 'get'?
        }
        expect linearizable
        expect linearizable
        //!    ^~~~~~~~~~~~ error: this expectation is a duplicate
        """#,
        #"""
        scenario "what is no specification"
        func get() -> Int { return 1 }
        thread t { note "\(get())" }
        expect broken linearizable
        //!    ^~~~~~~~~~~~~~~~~~~ error: there is no specification that says what the functions should do | for example 'specification { shared x = 0; func get() -> Int { return x } }'
        """#,
        #"""
        scenario "orders"
        atomic x = 0, y = 0
        shared r = 0
        func f(acquire: Int) { x.store(acquire, acquire) }
        //!                    ^~~~~~~~~~~~~~~~~~~~~~~~~ error: wrong number of arguments for 'store' | write 'store(value)'
        thread t {
            x.store(1, acquire)
        //!            ^~~~~~~ error: a store cannot have the order 'acquire' | write 'relaxed', 'release' or 'seqcst'
            x.store(1, acqRel)
        //!            ^~~~~~ error: a store cannot have the order 'acqRel' | write 'relaxed', 'release' or 'seqcst'
            r = x.load(acqrel)
        //!            ^~~~~~ error: a load cannot have the order 'acqrel' | write 'relaxed', 'acquire' or 'seqcst'
            if x.compareExchange(0, 1, acqRel, release) { r = 1 }
        //!                                    ^~~~~~~ error: a failed compare-exchange, which only reads, cannot have the order 'release' | write 'relaxed', 'acquire' or 'seqcst'
            x.add(1, relaxed, relaxed)
        //!          ^~~~~~~ error: this takes fewer memory orderings
            x.store(1, weak)
        //! ^~~~~~~~~~~~~~~~ error: wrong number of arguments for 'store' | write 'store(value)'
            fence(relaxed)
        //!       ^~~~~~~ error: a fence cannot have the order 'relaxed' | write 'acquire', 'release', 'acqRel' or 'seqcst'
            fence()
        //! ^~~~~~~ error: wrong number of arguments for 'fence' | write 'fence(acquire)' or 'fence(release)' or 'fence(acqRel)' or 'fence(seqcst)'
            fence(1)
        //! ^~~~~~~~ error: wrong number of arguments for 'fence' | write 'fence(acquire)' or 'fence(release)' or 'fence(acqRel)' or 'fence(seqcst)'
            r = fence(acquire)
        //!     ^~~~~ error: 'fence' has no value
            f(acquire: r + y.load())
        }
        """#,
        #"""
        scenario "exits"
        shared x = 0
        func number() -> Int { if x == 1 { return 1 } }
        //!  ^~~~~~ error: 'number' does not return a value on every path
        once first
        func second() -> Int { once first { return 1 } }
        //!  ^~~~~~ error: 'second' does not return a value on every path
        func nothing() { return 1 }
        //!                     ^ error: this function returns no value | write 'return' alone, or '-> Int' before the body
        func empty() -> Int { return }
        //!                   ^~~~~~ error: this function returns a number
        thread t {
            break
        //! ^~~~~ error: 'break' is allowed only in a loop
            return 3
        //!        ^ error: a thread returns no value | write 'return' alone
        }
        finally { continue }
        //!       ^~~~~~~~ error: 'continue' is allowed only in a loop
        finally { }
        //!@1 error: there is a second 'finally'
        """#,
        #"""
        scenario "given"
        given shared count = 0, log = []
        given atomic flag = false
        given func add() { count += 1; log.append(1) }
        given parameter n = 1
        //!@1 error: 'given' has no meaning here | a parameter is given in any case: leave the word out
        thread t {
            add()
            count = 3
        //! ^~~~~ error: 'count' is given: only given functions and given threads may change it | call add
            log.removeAll()
        //! ^~~~~~~~~~~~~~~ error: 'log' is given: only given functions and given threads may change it | call add
            flag.store(count > log.count)
        //! ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~ error: 'flag' is given: only given functions and given threads may change it | call add
            other()
        }
        func other() { count += 1 }
        //!            ^~~~~ error: 'count' is given: only given functions and given threads may change it | call add
        given thread fine { count = 2 }
        finally { count = 0 }
        """#,
        #"""
        scenario "task"
        mutex m
        func f() { lock m { } }
        thread t { f() }
        task {
            at most two mutexes
        //!         ^~~ error: expected a number, found 'two'
            no sleap
        //!    ^~~~~ error: 'sleap' is not a word of the language | did you mean 'sleep'?
            every t calls f
        //! ^~~~~ error: expected a limit, found 'every' | write 'at most N …', 'no …' or 'each THREAD calls FUNCTION'
        }
        """#,
        #"""
        scenario "half a rule"
        thread t { yield }
        task {
            no busy
        //!        ^ error: expected 'waiting', found the end of the line
            no sleap
        //!    ^~~~~ error: 'sleap' is not a word of the language | did you mean 'sleep'?
        }
        """#,
        #"""
        scenario "rules about names"
        mutex m
        func f() { lock m { } }
        thread t { f() }
        task { each m calls f; each t calls g; each t calls t }
        //!         ^ error: 'm' is a mutex, not a thread
        //!                                 ^ error: there is no function 'g' | available: f
        //!                                                 ^ error: 't' is a thread, not a function
        task { no sleep }
        //!@1 error: there is a second 'task'
        """#,
        #"""
        scenario "recursion"
        func even() { odd() }
        //!  ^~~~ error: a function cannot call itself: even → odd → even | write a loop
        func odd() { even() }
        func self() { self() }
        //!  ^~~~ error: a function cannot call itself: self → self | write a loop
        """#,
        #"""
        scenario "await only looks"
        atomic x = 0
        mutex m
        func f() -> Bool { return true }
        thread t {
            await x.add(1) == 0
        //!         ^~~ error: 'await' can only read values: 'add' is not allowed in it
            await f()
        //!       ^ error: 'await' can only read values: a call is not allowed in it
            await choose(2) == 0
        //!       ^~~~~~ error: 'await' can only read values: 'choose' is not allowed in it
        }
        """#,
        #"""
        scenario "expectations"
        shared x = 0, y = 0
        mutex m
        expect always m.tryLock()
        //!             ^~~~~~~ error: an expectation can only read variables: 'tryLock' is not allowed in it
        expect completes
        expect deadlock
        //!    ^~~~~~~~ error: 'completes' cannot be combined with other outcomes
        expect broken always x == 1
        //!    ^~~~~~~~~~~~~~~~~~~~ error: 'completes' cannot be combined with 'broken': a run that breaks a claim does not complete
        expect claim
        //!    ^~~~~ error: a run cannot end in 'claim' | a claim that fails says so itself: 'expect broken always …'
        expect outcomes { x == 1; y == 1 }
        //!                       ^~~~~~ error: each outcome must give the values of the same variables: x
        expect outcomes { x > 1 }
        //!               ^~~~~ error: an outcome gives the values of variables: 'x == 1 && y == 0'
        expect outcomes { x == 1 && y == 1 && x == 2 }
        //!                                   ^ error: this outcome gives two values of 'x'
        expect outcomes { }
        //!    ^~~~~~~~~~~~ error: an outcome is missing
        expect sometimes x
        //!              ^ error: expected a truth value, found a number | compare it, for example with '!= 0'
        """#,
        #"""
        scenario "constants"
        parameter n = 1
        parameter twice = n * 2
        //!               ^~~~~ error: a parameter's value cannot depend on parameters
        shared x = 0, y = x
        //!               ^ error: a constant is needed here: numbers and parameters
        shared a[x] = 0
        //!      ^ error: a constant is needed here: numbers and parameters
        thread t { n = 3 }
        //!        ^ error: 'n' cannot be changed | it is a parameter
        """#,
        #"""
        scenario "run alone"
        mutex m
        run producer-consumer(capacity: 1)
        //! ^~~~~~~~~~~~~~~~~ error: a file with 'run' can contain only parameters and expectations
        """#,
        #"""
        scenario "claims about a built-in scenario"
        parameter n = 1
        expect never n == 1
        //!    ^~~~~~~~~~~~ error: what a file runs has no variables in it: this says nothing about its runs | an expectation can say how its runs end, or which warning they show
        run producer-consumer(capacity: n, items: 1, capacity: 2)
        //!                                          ^~~~~~~~ error: 'capacity' has a value already
        expect completes
        invariant false
        //!       ^~~~~ error: what a file runs has no variables in it: this says nothing about its runs | an expectation can say how its runs end, or which warning they show
        expect sometimes true
        //!    ^~~~~~~~~~~~~~ error: what a file runs has no variables in it: this says nothing about its runs | an expectation can say how its runs end, or which warning they show
        """#,
        #"""
        scenario "words that stand alone"
        thread t { yield }
        expect race, completes
        //!          ^~~~~~~~~ error: a run cannot end in 'completes' | write 'expect completes' on a line of its own
        """#,
    ]

    static let values = [
        #"""
        scenario "values"
        parameter capacity = 1 in 2...8
        //!                  ^ error: 'capacity' is 1, but must be from 2 to 8
        parameter none = 1 in 3...2
        //!                   ^~~~~ error: this range is empty
        parameter less = 1 in -9223372036854775808..<-9223372036854775808
        //!                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ error: this range is empty
        shared x = 1 / 0
        //!        ^~~~~ error: this has no value: division by 0
        shared big = 9223372036854775807 + 1
        //!          ^~~~~~~~~~~~~~~~~~~~~~~ error: this has no value: it does not fit into 64 bits
        thread t {
            x = x % 0
        //!     ^~~~~ error: this has no value: division by 0
            x = 1 << 64
        //!     ^~~~~~~ error: this has no value: a shift distance must be from 0 to 63
            x = choose(0)
        //!            ^ error: cannot choose among 0 values
        }
        """#,
        #"""
        scenario "no elements"
        parameter n = 0
        shared a[n] = 0
        //!      ^ error: the number of elements is 0, but must be from 1 to 1024
        thread t { a[0] = 1 }
        """#,
        #"""
        scenario "elements"
        shared a[3] = [1, 2]
        //!    ^ error: there are 2 values for 3 elements
        """#,
        #"""
        scenario "threads"
        thread a[200] { }
        thread b[57] { }
        //!    ^ error: a program has at most 256 threads
        """#,
        #"""
        scenario "semaphore"
        semaphore s = -1
        //!           ^ error: a semaphore's value is -1, but must be from 0 to 2147483647
        """#,
        #"""
        scenario "barrier"
        barrier b(0)
        //!       ^ error: a barrier's number of threads is 0, but must be from 1 to 256
        """#,
        #"""
        scenario "latch"
        latch l(-1)
        //!     ^ error: a latch's count is -1, but must be from 0 to 2147483647
        """#,
    ]
}
