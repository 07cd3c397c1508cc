extension WrongPrograms {
    static let syntax = [
        #"""
        scenario "in a specification"
        func get() -> Int { return 1 }
        thread t { note "\(get())" }
        specification {
            atomic x = 0
        //! ^~~~~~ error: a specification consists of 'shared' variables and functions | its functions are called one at a time, so it needs nothing else
            func get() -> Int { return 1 }
        //!                               ^ error: a '}' is missing before the end of the line
        expect linearizable
        """#,
        #"""
        mutex m
        //!@1 error: the file must begin with the scenario's name | write 'scenario "name"' here
        """#,
        #"""
        scenario peterson
        //!      ^~~~~~~~ error: expected the scenario's name in quotation marks, found 'peterson'
        """#,
        #"""
        scenario "one"
        scenario "two"
        //!@1 error: a file can contain only one scenario
        """#,
        #"""
        scenario "words of other languages"
        prosess a { }
        //!@1 error: 'prosess' does not begin a declaration
        process b { }
        //!@1 error: 'process' does not begin a declaration | write 'thread'
        mutx m
        //!@1 error: 'mutx' does not begin a declaration | did you mean 'mutex'?
        var x = 0
        //!@1 error: 'var' does not begin a declaration | write 'shared' or 'atomic'
        x = 3
        //!@1 error: 'x' is a statement; statements are allowed only in a thread, a function or 'finally' | to declare it, write 'shared x = …'
        while true { }
        """#,
        #"""
        scenario "a brace is missing"
        shared x = 0
        thread a {
            if x == 1 {
                x = 2
        }
        thread b { x = 3 }
        //!@1 error: a '}' is missing before 'thread'
        """#,
        #"""
        scenario "a brace is missing at the end"
        thread a { yield
        //!             ^ error: a '}' is missing before the end of the file
        """#,
        #"""
        scenario "a brace too many"
        thread a { yield } }
        //!                ^ error: this '}' has no matching '{'
        thread b { yield }
        """#,
        #"""
        scenario "statements that run on"
        mutex m
        shared x = 0
        thread a {
            x = 1 x = 2
        //!       ^ error: expected the end of the statement, found 'x' | statements are separated by new lines or ';'
            unlock m
        //!        ^ error: expected the end of the statement, found 'm' | write 'm.unlock()'
            int y = 3
        //!     ^ error: expected the end of the statement, found 'y' | write 'var'
            print "text"
        //!       ^~~~~~ error: expected the end of the statement, found a text | write 'note "x is \(x)"'
            x++
        //!  ^~ error: there is no '++' | write '+= 1'
            let y = x == 1 ? 2 : 3
        //!                ^ error: there is no '?' | there is no '?:': write 'if'
            let z: Int
        //!           ^ error: an initial value is missing | for example '= 0'
            x =
        //!    ^ error: a value is missing after '=' | write it on the same line
            notes x
            lock m
        //!       ^ error: expected '{' (or write 'm.lock()'), found the end of the line
            x = (1 + 2
        //!           ^ error: expected ')', found the end of the line
            x = 1 < 2 < 3
        //!           ^ error: comparisons cannot be chained | write 'a < b && b < c'
            while { }
        //!       ^ error: expected a value, found '{'
            repeat { }
        //!        ^ error: expected how often, for example 'repeat 3 { … }', found '{'
            for i in 3 { }
        //!            ^ error: expected '...' or '..<', found '{' | for example '0..<3'
            let thread = 3
        //!     ^~~~~~ error: 'thread' is a keyword and cannot be used as a name | choose another name
            mutex inner
        //! ^~~~~ error: 'mutex' must be declared outside of threads and functions
            shared inner = 3
        //! ^~~~~~ error: 'shared' must be declared outside of threads and functions | for a variable of this thread write 'let' or 'var'
        }
        """#,
        #"""
        scenario "declarations"
        mutex
        //!  ^ error: expected the mutex's name, found the end of the line
        shared x
        //!     ^ error: an initial value is missing | for example '= 0'
        barrier b
        //!      ^ error: expected '(' and the number of threads, for example '(2)', found the end of the line
        latch l[2]
        //!       ^ error: expected '(' and the count, for example '(2)', found the end of the line
        once latch
        //!  ^~~~~ error: 'latch' is a keyword and cannot be used as a name | choose another name
        condition c
        //!        ^ error: expected 'with' and the condition's mutex, for example 'with m', found the end of the line
        recursive semaphore s
        //!       ^~~~~~~~~ error: expected 'mutex', found 'semaphore'
        func f(a: Text) { }
        //!       ^~~~ error: expected 'Int', 'Bool' or 'Duration', found 'Text'
        mutex "m"
        //!   ^~~ error: write the name of the mutex without quotation marks
        expect
        //!   ^ error: expected what is expected, or its outcome's name, found the end of the line
        expect deadlok
        //!    ^~~~~~~ error: a run cannot end in 'deadlok' | did you mean 'deadlock'?
        expect warning
        //!           ^ error: expected the warning's name, found the end of the line
        expect warning starvatoin, TL402, deadlock
        //!            ^~~~~~~~~~ error: there is no warning 'starvatoin' | did you mean 'starvation'?
        expect broken sometimes
        //!           ^~~~~~~~~ error: expected 'always', 'never', 'invariant', 'eventually', 'outcomes' or 'linearizable', found 'sometimes'
        expect under x86 completes
        //!          ^~~ error: 'x86' is not a memory model | memory models are sc, tso and rc11
        expect outcomes { x == 1
        //!                     ^ error: a '}' is missing before the end of the file
        """#,
    ]
}
