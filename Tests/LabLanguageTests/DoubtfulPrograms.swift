/// Programs that are valid, but deserve a warning.
enum DoubtfulPrograms {
    static let all = [
        #"""
        scenario "what is never used"
        parameter n = 1
        //!       ^ warning: parameter 'n' is never used
        mutex m
        //!   ^ warning: mutex 'm' is never used
        shared written = 0
        //!    ^~~~~~~ warning: 'written' is never read
        func f() { }
        //!  ^ warning: function 'f' is never used
        thread t {
            written = 1
            let unread = 3
        //!     ^~~~~~ warning: 'unread' is never read
        }
        """#,
        #"""
        scenario "locks"
        mutex m, n
        rwlock r
        shared x = 0
        thread early {
            m.lock()
        //! ^ warning: 'm' is locked here, but 'early' does not unlock it on every path | 'lock m { … }' unlocks on every path
            if x == 1 { return }
            m.unlock()
        }
        thread never {
            r.writeLock()
        //! ^ warning: 'r' is locked here, but 'never' never unlocks it
            x = 1
        }
        thread tries {
            if m.tryLock() { x = 2 }
        //!    ^ warning: 'm' is locked here, but 'tries' does not unlock it on every path | 'lock m { … }' unlocks on every path
        }
        thread twice {
            n.lock()
            n.lock()
        //! ^ warning: 'n' is locked here by a thread that already holds it, which then waits for itself
            n.unlock()
        }
        thread free { n.unlock() }
        //!           ^ warning: 'n' is unlocked here by a thread that does not hold it
        """#,
        #"""
        scenario "locks of functions"
        mutex m
        func enter() { m.lock() }
        //!            ^ warning: 'm' is locked here, but 'forgets' never unlocks it
        func leave() { m.unlock() }
        thread right { enter(); leave() }
        thread forgets { enter() }
        """#,
        #"""
        scenario "ends"
        shared x = 0
        thread endless { while true { x += 1 } }
        //!              ^~~~~ warning: 'endless' cannot end: nothing leaves this loop
        thread cut { return; x = 1 }
        //!                  ^ warning: this is never reached
        """#,
        #"""
        scenario "a block that is run once"
        once o
        mutex m
        shared x = 0
        thread returns { once o { return }; x += 1 }
        thread locks {
            once o { m.lock() }
        //!          ^ warning: 'm' is locked here, but 'locks' does not unlock it on every path | 'lock m { … }' unlocks on every path
        }
        """#,
        #"""
        scenario "answers"
        mutex m
        semaphore s
        atomic x = 0
        thread t {
            s.tryWait()
        //!   ^~~~~~~ warning: the result of 'tryWait', whether it succeeded, is ignored
            x.compareExchange(0, 1)
        //!   ^~~~~~~~~~~~~~~ warning: the result of 'compareExchange', whether it succeeded, is ignored
        }
        thread u { lock m { s.signal() } }
        """#.replacingHelp(),
        #"""
        scenario "spawned"
        thread parent { spawn child }
        thread child { yield }
        //!    ^~~~~ warning: 'child' is spawned but never joined or detached
        """#,
        #"""
        scenario "cycles of joins"
        thread a { join b }
        //!        ^~~~ warning: 'a', 'b' join each other in a cycle, so none can end
        thread b {
            yield
            join a
        }
        thread c { join c }
        //!        ^~~~ warning: 'c' joins itself
        thread late {
            if choose(2) == 1 { return }
            join later
        }
        thread later { join late }
        """#,
        #"""
        scenario "nothing"
        //!@1 warning: the scenario has no thread
        """#,
        #"""
        scenario "a task that nothing can solve"
        given mutex m, n
        given func add() { lock m { lock n { } } }
        given thread t { note "no" }
        thread u[2] { add() }
        task {
            at most 1 mutex
        //!         ^ warning: no solution can keep this limit: the task itself has 2 mutexes
            at most 2 threads
        //!         ^ warning: no solution can keep this limit: the task itself has 3 threads
            each t calls add
        //! ^~~~ warning: no solution can keep this limit: 't' is given, and does not call it on every path
            each u calls add
        }
        """#,
        #"""
        scenario "models"
        shared x = 0
        thread t { x = 1 }
        expect under weak always x == 1
        expect under tso completes
        expect under rc11 outcomes { x == 1 }
        expect under sc completes
        expect under seqcst always x == 1
        """#,
    ]
}

extension String {
    /// The same help for every ignored result.
    fileprivate func replacingHelp() -> String {
        split(separator: "\n").map { $0.hasSuffix("is ignored") ? $0 + " | test it with 'if'" : $0 }
            .joined(separator: "\n")
    }
}
