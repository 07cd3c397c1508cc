extension WrongPrograms {
    static let names = [
        #"""
        scenario "no lock yet"
        thread worker {
            lock m { }
        //!      ^ error: there is no mutex 'm' | declare it before the threads: 'mutex m'
            reading w { }
        //!         ^ error: there is no read-write lock 'w' | declare it before the threads: 'rwlock w'
        }
        """#,
        #"""
        scenario "names that are not known"
        parameter capacity = 1
        shared count = 0
        mutex mine
        func take() { }
        thread worker {
            let seen = cuont
        //!            ^~~~~ error: there is no variable 'cuont' | did you mean 'count'?
            lock mein { }
        //!      ^~~~ error: there is no mutex 'mein' | available: mine
            tak()
        //! ^~~ error: there is no function 'tak' | did you mean 'take'?
            print("x")
        //!       ^~~ error: a text is allowed only after 'note', and after the condition of 'assert' | to show a text, write 'note "x is \(x)"'
            join wroker
        //!      ^~~~~~ error: there is no thread 'wroker' | did you mean 'worker'?
            zzz = 3
        //! ^~~ error: there is no variable 'zzz' | to declare it here, write 'var zzz = …'
            mine.unlok()
        //!      ^~~~~ error: a mutex such as 'mine' has no 'unlok' | did you mean 'unlock'?
            mine.acquire()
        //!      ^~~~~~~ error: a mutex such as 'mine' has no 'acquire' | it is called 'lock' here
            random()
        //! ^~~~~~ error: there is no function 'random' | write 'choose(n)'
        }
        """#,
        #"""
        scenario "names that are taken"
        shared x = 0
        mutex x
        //!   ^ error: 'x' is already declared | choose another name
        thread main { }
        //!    ^~~~ error: 'main' is the thread that starts the others | choose another name
        thread a {
            let x = 1
        //!     ^ error: 'x' is already declared | choose another name
            let y = 1
            if y == 1 { let y = 2 }
        //!                 ^ error: 'y' is already declared | choose another name
        }
        """#,
        #"""
        scenario "names of something else"
        shared x = 0
        mutex m
        rwlock r
        semaphore s
        func f() { }
        thread a {
            lock x { }
        //!      ^ error: 'x' is a shared variable, not a mutex
            lock r { }
        //!      ^ error: 'r' is a read-write lock, not a mutex | write 'reading r { … }' or 'writing …'
            lock s { }
        //!      ^ error: 's' is a semaphore, not a mutex | write 's.wait()' and 's.signal()'
            reading m { }
        //!         ^ error: 'm' is a mutex, not a read-write lock | write 'lock m { … }'
            spawn m
        //!       ^ error: 'm' is a mutex, not a thread
            x = f
        //!     ^ error: 'f' is a function, not a value | write 'f(…)'
            x = m
        //!     ^ error: 'm' is a mutex and has no value
            m()
        //! ^ error: 'm' is a mutex, not a function
            a.join()
        //!   ^~~~ error: a thread has no 'join' | write 'join a'
        }
        condition c with x
        //!              ^ error: 'x' is a shared variable, not a mutex
        """#,
        #"""
        scenario "index"
        shared x = 0
        thread single { x = index }
        //!                 ^~~~~ error: 'index' is a thread's number in its array, but 'single' is a single thread | write 'thread single[2]' for two of them
        func f() { x = index }
        //!            ^~~~~ error: 'index' is a thread's number in its array and cannot be used in a function | pass it as an argument
        finally { f(); assert x == index }
        //!                        ^~~~~ error: 'index' is a thread's number in its array and cannot be used outside of threads
        """#,
    ]
}
