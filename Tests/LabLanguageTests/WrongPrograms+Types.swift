extension WrongPrograms {
    static let types = [
        #"""
        scenario "values of the wrong type"
        shared x = 0, b = true
        thread a {
            if x { }
        //!    ^ error: expected a truth value, found a number | compare it, for example with '!= 0'
            x = b
        //!     ^ error: expected a number, found a truth value
            x = x + b
        //!     ^~~~~ error: '+' cannot be applied to a number and a truth value
            b = b & b
        //!     ^~~~~ error: '&' cannot be applied to a truth value | write '&&' or '||'
            b = !x
        //!     ^~ error: '!' cannot be applied to a number
            sleep 5
        //!       ^ error: expected a time, found a number | give it a unit, for example 10ms
            let t = 10ms + 1
        //!         ^~~~~~~~ error: '+' cannot be applied to a time and a number
            let n: Bool = 3
        //!               ^ error: expected a truth value, found a number | compare it, for example with '!= 0'
            assert x
        //!        ^ error: expected a truth value, found a number | compare it, for example with '!= 0'
            x == 1
        //! ^~~~~~ error: this value is not used | to assign, write '='
            x += true
        //! ^~~~~~~~~ error: '+' cannot be applied to a number and a truth value
        }
        """#,
        #"""
        scenario "built objects"
        barrier b(2)
        latch l(2), ls[2](1)
        once o
        mutex m
        thread t {
            lock o { }
        //!      ^ error: 'o' is a once, not a mutex | write 'once o { … }'
            once m { }
        //!      ^ error: 'm' is a mutex, not a once | write 'lock m { … }'
            once l { }
        //!      ^ error: 'l' is a latch, not a once
            o.run()
        //!   ^~~ error: a once such as 'o' has no 'run'
            l.countdown()
        //!   ^~~~~~~~~ error: a latch such as 'l' has no 'countdown' | did you mean 'countDown'?
            ls.wait()
        //! ^~ error: 'ls' is an array; one of its elements is needed here | write 'ls[0]'
            let left = l.countDown()
        //!              ^~~~~~~~~ error: 'countDown' has no value
            if b.wait { }
        //!      ^~~~ error: parentheses are missing | write 'wait()'
            b.wait(3)
        //! ^~~~~~~~~ error: wrong number of arguments for 'wait' | write 'wait()'
            latch inner(2)
        //! ^~~~~ error: 'latch' must be declared outside of threads and functions
            countDown l
        //!           ^ error: expected the end of the statement, found 'l' | write 'l.countDown()'
        }
        """#,
        #"""
        scenario "arrays and lists"
        shared a[3] = 0, one = 0, list = []
        mutex m[2]
        thread t {
            a = 1
        //! ^ error: 'a' is an array; one of its elements is needed here | write 'a[0]'
            a[3] = 1
        //!   ^ error: the subscript is 3, but must be from 0 to 2
            one[0] = 1
        //!     ^ error: 'one' is a shared variable, not an array
            lock m { }
        //!      ^ error: 'm' is an array; one of its elements is needed here | write 'm[0]'
            one = list
        //!       ^~~~ error: 'list' is a list; one of its elements is needed here | write 'list[0]' or 'list.count'
            let copy = [1, 2]
        //!            ^~~~~~ error: lists are shared and must be declared outside of threads and functions
            list.append(true)
        //!             ^~~~ error: expected a number, found a truth value
            list.count()
        //!      ^~~~~ error: 'count' takes no parentheses
            list.pop()
        //!      ^~~ error: a list such as 'list' has no 'pop' | it is called 'removeFirst' here
            list.count
        //! ^~~~~~~~~~ error: this value is not used
        }
        shared mixed = [1, true]
        //!                ^~~~ error: all values of a list must have the same type
        shared lists[2] = []
        //!               ^~ error: there are no arrays of lists
        shared time = 10ms
        //!           ^~~~ error: a shared variable cannot hold a time
        """#,
        #"""
        scenario "atomics"
        atomic x = 0, b = false
        shared y = 0
        thread t {
            x = 1
        //! ^ error: 'x' is atomic and can be changed only through its methods | write 'x.store(…)' or 'x.add(…)'
            y = x
        //!     ^ error: 'x' is an atomic and has no value | write 'x.load()'
            x.store()
        //! ^~~~~~~~~ error: wrong number of arguments for 'store' | write 'store(value)'
            x.load
        //!   ^~~~ error: parentheses are missing | write 'load()'
            b.add(1)
        //!   ^~~ error: an atomic such as 'b' has no 'add' | available: load, store, exchange, compareExchange, weakCompareExchange
            y = x.store(1)
        //!       ^~~~~ error: 'store' has no value
            y = x.load(release)
        //!            ^~~~~~~ error: a load cannot have the order 'release' | write 'relaxed', 'acquire' or 'seqcst'
            if x.compareExchange(expected: 0, to: 1) { }
        //!                                   ^~ error: there is no argument 'to' | write 'desired:'
        }
        """#,
        #"""
        scenario "calls"
        mutex m
        func f(a: Int) -> Int { return a }
        thread t {
            f()
        //! ^~~ error: wrong number of arguments for 'f' | write 'f(a)'
            let x = f(true)
        //!           ^~~~ error: expected a number, found a truth value
            x = 3
        //! ^ error: 'x' cannot be changed | declare it with 'var'
            m.lock(3)
        //! ^~~~~~~~~ error: wrong number of arguments for 'lock' | write 'lock()' or 'lock(for: 10ms)'
            m.lock(for: 3)
        //!             ^ error: expected a time, found a number | give it a unit, for example 10ms
            m.lock(for: -3ms)
        //!             ^~~~ error: a time cannot be negative
            x.lock()
        //!   ^~~~ error: only objects declared outside of threads have members
        }
        """#,
        #"""
        scenario "labels of arguments"
        shared x = 0
        atomic a = 0
        mutex m
        func f(from: Int, to: Int) { x = from * 10 + to }
        thread t {
            f(1, 2)
            f(from: 1, to: 2)
            f(from: 1, 2)
            f(1, to: 2)
            f(to: 1, from: 2)
        //!   ^~ error: the argument 'to' is in the wrong place | the order is 'from', 'to'
            f(foo: 1, bar: 2)
        //!   ^~~ error: there is no argument 'foo' | write 'from:'
            f(from: 1, too: 2)
        //!            ^~~ error: there is no argument 'too' | write 'to:'
            f(1, from: 2)
        //!      ^~~~ error: the argument 'from' is in the wrong place | the order is 'from', 'to'
            f(from: 1, to: 2, by: 3)
        //! ^~~~~~~~~~~~~~~~~~~~~~~~ error: wrong number of arguments for 'f' | write 'f(from, to)'
            f("from": 1, 2)
        //!   ^~~~~~ error: there is no argument '"from"' | write 'from:'
            g(what: 1)
        //!   ^~~~ error: there is no argument 'what' | write 'x0:'
            x = choose(max: 3)
        //!            ^~~ error: there is no argument 'max' | leave the label out
            a.store(value: 3)
        //!         ^~~~~ error: there is no argument 'value' | leave the label out
            a.store(3, ordering: seqcst)
        //!            ^~~~~~~~ error: there is no argument 'ordering' | leave the label out
            if a.compareExchange(desired: 1, expected: 0) { x = 1 }
        //!                      ^~~~~~~ error: the argument 'desired' is in the wrong place | the order is 'expected', 'desired'
            if m.lock(until: 1ms) { m.unlock() }
        //!           ^~~~~ error: there is no argument 'until' | write 'for:'
        }
        func g(x0: Int) { f(x0) }
        //!               ^~~~~ error: wrong number of arguments for 'f' | write 'f(from, to)'
        """#,
    ]
}
