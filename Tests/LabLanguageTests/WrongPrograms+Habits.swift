extension WrongPrograms {
    /// Programs with the habits of C, C++, Java, Python and Go.
    static let habits = [
        #"""
        scenario "j17"
        shared a = 0
        mutex m
        shared int balance = 100;
        //!    ^~~ error: no type such as 'int' is written before a name | write 'shared balance'
        semaphore s(1)
        //!        ^ error: an initial value is not in parentheses | write 'semaphore s = 1'
        thread t(n) {
        //!     ^ error: expected '{', found '(' | a thread takes no arguments; 'thread t[3]' is three of them, with an 'index'
            a = 1
        }
        thread u {
            if a = 1 { a = 2 }
        //!      ^ error: '=' assigns a value, and does not compare | write '=='
            assert a = 3
        //!          ^ error: '=' assigns a value, and does not compare | write '=='
            for i in 0..3 { a = i }
        //!            ^ error: there is no '..' | write '...' or, without the last value, '..<'
            for i in range(3) { a = i }
        //!                   ^ error: expected '...' or '..<', found '{' | write '0..<3'
            lock(m) { a = 1 }
        //!     ^ error: expected the object's name, found '(' | write 'lock m { … }', or 'm.lock()'
            int x = 3
        //!     ^ error: expected the end of the statement, found 'x' | write 'var'
            println("x")
        //!         ^~~ error: a text is allowed only after 'note', and after the condition of 'assert' | to show a text, write 'note "x is \(x)"'
            print("x = " + a)
        //!       ^~~~~~ error: a text is allowed only after 'note', and after the condition of 'assert' | to show a text, write 'note "x is \(x)"'
            # comment
        //! ^ error: expected a value, found '#' | comments begin with '//'
            sleep 1 s
        //!         ^ error: expected the end of the statement, found 's' | write '1s'
            a = min(a, 2)
            x = 5
        }
        struct Account { int balance; }
        //!@1 error: 'struct' does not begin a declaration | there are no records: write a 'shared' variable for each part
        """#,
        #"""
        #include <pthread.h>
        //!@1 error: the file must begin with the scenario's name | write 'scenario "name"' here
        #define N 2
        //!@1 error: expected a declaration, found '#' | write 'parameter N = …'
        scenario "c counter"
        pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        //!@1 error: 'pthread_mutex_t' does not begin a declaration | write 'mutex'
        int counter = 0;
        //!@1 error: 'int' does not begin a declaration | write 'shared'
        void* worker(void* arg) {
        //!@1 error: 'void' does not begin a declaration | write 'func'
            for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&lock);
                counter++;
                pthread_mutex_unlock(&lock);
            }
            return NULL;
        }
        int main() {
        //!@1 error: 'int' does not begin a declaration | threads start by themselves; what comes after them is in 'finally { … }'
            pthread_t t1, t2;
            pthread_create(&t1, NULL, worker, NULL);
            pthread_join(t1, NULL);
            printf("%d\n", counter);
        }
        """#,
        #"""
        scenario "c counter 2"
        mutex m = PTHREAD_MUTEX_INITIALIZER
        //!     ^ error: the mutex 'm' takes no initial value | write the name 'm' alone
        shared int counter = 0
        //!    ^~~ error: no type such as 'int' is written before a name | write 'shared counter'
        thread worker(2) {
        //!          ^ error: expected '{', found '(' | a thread takes no arguments; 'thread worker[3]' is three of them, with an 'index'
            for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(m)
                counter++
                pthread_mutex_unlock(m)
            }
            return NULL
        }
        finally {
            printf("%d", counter)
        //!        ^~~~ error: a text is allowed only after 'note', and after the condition of 'assert' | to show a text, write 'note "x is \(x)"'
            assert(counter = 4)
        //!                ^ error: '=' assigns a value, and does not compare | write '=='
        }
        """#,
        #"""
        scenario "java bank"
        class Account {
        //!@1 error: 'class' does not begin a declaration | there are no records: write a 'shared' variable for each part
            private int balance = 100;
        }
        shared balance = 100
        ReentrantLock lock = new ReentrantLock()
        //!@1 error: 'ReentrantLock' does not begin a declaration | write 'recursive mutex'
        mutex m
        thread Thread1 {
            synchronized (m) {
        //!                  ^ error: expected the end of the statement, found '{' | write 'lock m { … }'
                if (balance >= 50)
                    balance -= 50;
            }
            Thread.sleep(100)
            System.out.println("done")
        //!                    ^~~~~~ error: a text is allowed only after 'note', and after the condition of 'assert' | to show a text, write 'note "x is \(x)"'
        }
        thread t2 {
            synchronized(this) {
        //!                    ^ error: expected the end of the statement, found '{' | write 'lock m { … }'
                balance += 1
            }
            try {
        //!     ^ error: expected the end of the statement, found '{' | errors cannot be caught: leave it out
                m.lock();
            } finally {
                m.unlock();
            }
        }
        """#,
        #"""
        scenario "java bounded buffer"
        shared buffer = new LinkedList()
        //!                 ^~~~~~~~~~ error: expected the end of the statement, found 'LinkedList' | there are no classes: a list is '[]', a number '0'
        shared capacity = 2
        mutex lock
        //!   ^~~~ error: 'lock' is a keyword and cannot be used as a name | choose another name
        mutex m
        condition notFull
        //!              ^ error: expected 'with' and the condition's mutex, for example 'with m', found the end of the line
        condition notEmpty with m
        thread producer {
            for (int i = 0; i < 3; i++) {
        //!     ^ error: expected the variable's name, found '(' | write 'for i in 0..<n { … }'
                m.lock()
                while (buffer.size() == capacity) { wait(notEmpty) }
                buffer.add(i)
                notifyAll()
                notEmpty.notifyAll()
                m.unlock()
            }
        }
        thread consumer {
            m.lock()
            while (buffer.isEmpty()) notEmpty.await()
        //!                          ^~~~~~~~ error: expected '{', found 'notEmpty' | a body is in braces, even if it is one statement: '{ … }'
            int x = buffer.remove()
        //!     ^ error: expected the end of the statement, found 'x' | write 'var'
            m.unlock()
        }
        """#,
        #"""
        scenario "python counter"
        import threading
        //!@1 error: 'import' does not begin a declaration | leave it out
        counter = 0
        //!@1 error: 'counter' is a statement; statements are allowed only in a thread, a function or 'finally' | to declare it, write 'shared counter = …'
        lock = threading.Lock()
        //!@1 error: 'lock' does not begin a declaration | write 'mutex'
        def worker():
        //!@1 error: 'def' does not begin a declaration | write 'func'
            global counter
            for i in range(2):
                with lock:
                    counter += 1
        t = threading.Thread(target=worker)
        //!@1 error: 't' is a statement; statements are allowed only in a thread, a function or 'finally' | write 'thread t { … }'
        t.start()
        t.join()
        print(counter)
        """#,
        #"""
        scenario "python semaphores"
        semaphore items = threading.Semaphore(0)
        //!               ^~~~~~~~~~~~~~~~~~~~~~ error: a constant is needed here: numbers and parameters | write 'semaphore s = 1'
        semaphore s = Semaphore(1)
        //!           ^~~~~~~~~ error: a constant is needed here: numbers and parameters | write 'semaphore s = 1'
        shared queue = []
        shared done = False
        thread producer:
        //!            ^ error: expected '{', found ':' | a body is in braces: '{ … }'
            queue.append(1)
            items.release()
        thread producer2 {
            queue.put(1)
        //!       ^~~ error: a list such as 'queue' has no 'put' | it is called 'append' here
            items.release()
        //!       ^~~~~~~ error: a semaphore such as 'items' has no 'release' | it is called 'signal' here
            done = True
        }
        thread consumer {
            while not done {
        //!           ^~~~ error: expected '{', found 'done' | write '!done'
                items.acquire()
                x = queue.pop(0)
                print(f"got {x}")
            }
            if len(queue) == 0: pass
        //!                   ^ error: expected '{', found ':' | a body is in braces: '{ … }'
            elif done { yield }
        //!      ^~~~ error: expected the end of the statement, found 'done' | write 'else if'
        }
        """#,
        #"""
        package main
        //!@1 error: the file must begin with the scenario's name | write 'scenario "name"' here
        import "sync"
        //!@1 error: 'import' does not begin a declaration | leave it out
        scenario "go waitgroup"
        var wg sync.WaitGroup
        //!@1 error: 'var' does not begin a declaration | write 'shared' or 'atomic'
        var mu sync.Mutex
        //!@1 error: 'var' does not begin a declaration | write 'shared' or 'atomic'
        mutex mu2
        latch wg2(2)
        shared count := 0
        //!           ^ error: expected 'Int', 'Bool' or 'Duration', found '=' | write '=' instead of ':='
        shared n int = 3
        //!      ^~~ error: a type follows a ':' | write 'n: Int'
        func worker(id int) {
        //!            ^~~ error: a type follows a ':' | write 'id: Int'
            defer wg2.Done()
            mu2.Lock()
            count++
            mu2.Unlock()
        }
        func main() {
            for i := 0; i < 2; i++ {
        //!       ^ error: expected 'in', found ':' | write 'for i in 0..<n { … }'
                go worker(i)
            }
            wg2.Wait()
        //!     ^~~~ error: a latch such as 'wg2' has no 'Wait' | did you mean 'wait'?
            fmt.Println(count)
        }
        """#,
        #"""
        scenario "go channel"
        chan int ch
        //!@1 error: 'chan' does not begin a declaration | write 'shared' and '= []'
        shared ch = make(chan, 3)
        //!         ^~~~ error: a constant is needed here: numbers and parameters | a list is '[]'
        shared list = []
        thread p {
            ch <- 1
        //!    ^ error: there is no '<-' | there are no channels: a list has 'append' and 'removeFirst'
            list <- 1
        //!      ^ error: there is no '<-' | there are no channels: a list has 'append' and 'removeFirst'
            x := 3
        //!   ^ error: expected the end of the statement, found ':' | write 'var x = …'
            for {
        //!     ^ error: expected the variable's name, found '{' | write 'while true { … }'
                x := <-ch
                if x == nil { break }
            }
            go func() { x = 1 }()
        //!    ^~~~ error: expected the end of the statement, found 'func' | write 'spawn t', and outside 'thread t { … }'
            select { }
        //!        ^ error: expected the end of the statement, found '{' | there are no channels: write 'await'
        }
        """#,
        #"""
        scenario "dining philosophers"
        const N = 5
        //!@1 error: 'const' does not begin a declaration | write 'parameter'
        mutex[5] fork
        //!  ^ error: expected the mutex's name, found '[' | write 'mutex fork[5]'
        mutex forks[N]
        thread philosopher[5] {
            int left = id
        //!     ^~~~ error: expected the end of the statement, found 'left' | write 'var'
            int right = (id + 1) mod 5
        //!     ^~~~~ error: expected the end of the statement, found 'right' | write 'var'
            var l = tid, r = 3
        //!            ^ error: expected the end of the statement, found ',' | write a 'var' for each variable
            var k: int = 3
        //!        ^~~ error: expected 'Int', 'Bool' or 'Duration', found 'int' | write 'Int'
            forks[left].acquire()
            forks[right].acquire()
            print("eating")
        //!       ^~~~~~~~ error: a text is allowed only after 'note', and after the condition of 'assert' | to show a text, write 'note "x is \(x)"'
            forks[left].release()
            unlock(forks[right])
            P(forks[left])
        }
        """#,
        #"""
        scenario "peterson"
        shared bool flag[2] = {false, false}
        //!    ^~~~ error: no type such as 'bool' is written before a name | write 'shared flag'
        shared flags[2] = {false, false}
        //!               ^ error: expected a value, found '{' | a list is in brackets: '[1, 2, 3]'
        volatile int turn
        //!@1 error: 'volatile' does not begin a declaration | write 'shared'
        shared int turn2
        //!    ^~~ error: no type such as 'int' is written before a name | write 'shared turn2'
        atomic bool x = false
        //!    ^~~~ error: no type such as 'bool' is written before a name | write 'atomic x'
        atomic int y;
        //!    ^~~ error: no type such as 'int' is written before a name | write 'atomic y'
        thread t0 {
            flags[0] = true;
            turn2 = 1;
            while (flags[1] && turn2 == 1);
        //!                               ^ error: expected '{', found ';' | an empty body is '{ }'; to wait for a change, write 'await'
            while (flags[1] && turn2 == 1) {}
            flags[0] = False
            if (turn2 <> 0 and not flags[1]) { yield; }
        //!            ^ error: expected a value, found '>' | write '!='
            if turn2 => 3 { yield }
        //!          ^ error: '=' assigns a value, and does not compare | write '>='
            if turn2 === 3 { yield }
        //!            ^ error: expected a value, found '=' | write '=='
        }
        """#,
        #"""
        scenario "readers writers"
        rwlock rw = RWLock()
        //!       ^ error: the read-write lock 'rw' takes no initial value | write the name 'rw' alone
        rwlock r()
        //!     ^ error: the read-write lock 'r' takes no initial value | write the name 'r' alone
        shared data = 0
        thread reader[2] {
            rw.rlock()
            let d = data
            rw.runlock()
            reading (r) { note "d" }
        //!             ^ error: expected the end of the statement, found '{' | write 'reading r { … }'
            rw.ReadLock()
            rw.readUnlock()
        }
        thread writer {
            rw.wrlock()
            data = data ** 2
        //!              ^ error: expected a value, found '*' | there is no power: multiply
            data = pow(data, 2)
            rw.unlock
        }
        """#,
        #"""
        scenario "barrier"
        barrier b = 2
        //!       ^ error: expected '(' and the number of threads, for example '(2)', found '='
        barrier b2 = new CyclicBarrier(2)
        //!        ^ error: expected '(' and the number of threads, for example '(2)', found '='
        barrier b3(2)
        thread t[2] {
            b3.await()
        //!    ^~~~~ error: a barrier such as 'b3' has no 'await' | it is called 'wait' here
            b3.arrive_and_wait()
        //!    ^~~~~~~~~~~~~~~ error: a barrier such as 'b3' has no 'arrive_and_wait' | it is called 'wait' here
            join(t[0])
        //!     ^ error: expected the object's name, found '(' | write 'join t[0]'
            spawn t(0)
        //!        ^ error: expected the end of the statement, found '(' | write 'spawn t[0]'
            t[1].start()
        //!      ^~~~~ error: a thread has no 'start' | write 'spawn t[1]'
            t[1].run()
        //!      ^~~ error: a thread has no 'run' | write 'spawn t[1]'
            t[1].join()
        //!      ^~~~ error: a thread has no 'join' | write 'join t[1]'
            note 'hello'
        //!      ^ error: expected a text, found ''' | texts are in double quotation marks
            note x
        //!      ^ error: expected a text, found 'x' | write 'note "\(x)"'
        }
        """#,
        #"""
        scenario "misc" {
        //!             ^ error: expected the end of the line, found '{' | leave the braces out: a file is one scenario
        shared x = 0, y = 0, mutex m
        //!                  ^~~~~ error: 'mutex' is a keyword and cannot be used as a name | begin a new line: it is another declaration
        shared c = 'a'
        //!        ^ error: expected a value, found ''' | texts are in double quotation marks
        thread a {
            x = x + 1 if y == 0
        //!           ^~ error: expected the end of the statement, found 'if' | write 'if … { … }' around it
            if x == 1 then x = 2
        //!           ^~~~ error: expected '{', found 'then' | write '{' instead of 'then'
            if x == 1: x = 2
        //!          ^ error: expected '{', found ':' | a body is in braces: '{ … }'
            while x < 3 do { x += 1 }
        //!             ^~ error: expected '{', found 'do' | write '{' instead of 'do'
            repeat 3 times { x += 1 }
        //!          ^~~~~ error: expected '{', found 'times' | write '{' instead of 'times'
            foreach i in 0..<3 { }
        //!         ^ error: expected the end of the statement, found 'i' | write 'for i in 0..<n { … }'
            const k = 3
        //!       ^ error: expected the end of the statement, found 'k' | write 'let'
            assert x == 1 "text"
        //!               ^~~~~~ error: expected the end of the statement, found a text | write ',' before the text
            await x = 1
        //!         ^ error: '=' assigns a value, and does not compare | write '=='
            case 3: yield
        //!      ^ error: expected the end of the statement, found '3' | write 'if' and 'else if'
            def f(): yield
        //!     ^ error: expected the end of the statement, found 'f' | statements are separated by new lines or ';'
        }
        """#,
        #"""
        scenario "c++"
        std::mutex m;
        //!@1 error: 'std' does not begin a declaration | leave 'std::' out
        mutex m2
        condition cv(m2)
        //!         ^ error: expected 'with' and the condition's mutex, for example 'with m', found '('
        condition cv2 with m2
        shared ready = false
        std::atomic<int> a{0};
        //!@1 error: 'std' does not begin a declaration | leave 'std::' out
        atomic a2{0}
        //!      ^ error: an initial value is missing | for example '= 0'
        thread t {
            std::lock_guard<std::mutex> lock(m2);
        //!    ^ error: expected the end of the statement, found ':' | leave 'std::' out
            lock_guard g(m2)
        //!            ^ error: expected the end of the statement, found 'g' | write 'lock m { … }'
            cv2.wait(m2)
        //! ^~~~~~~~~~~~ error: wrong number of arguments for 'wait' | write 'wait()' or 'wait(for: 10ms)'
            cv2.wait(lock, [] { return ready; });
        //!          ^~~~ error: 'lock' is a keyword and cannot be used as a name | choose another name
            cv2.notify_one();
        //!     ^~~~~~~~~~ error: a condition such as 'cv2' has no 'notify_one' | it is called 'signal' here
            a2++
        //!   ^~ error: there is no '++' | write '+= 1'
            a2 += 1
            ready = a2
            std::cout << "x" << std::endl;
        //!    ^ error: expected the end of the statement, found ':' | leave 'std::' out
            auto i = 3;
        //!      ^ error: expected the end of the statement, found 'i' | write 'var'
            unique_lock lk(m2);
        //!             ^~ error: expected the end of the statement, found 'lk' | write 'lock m { … }'
        }
        """#,
        #"""
        scenario "finally"
        shared x = 0
        thread t { x = 1 }
        main {
        //!@1 error: 'main' does not begin a declaration | threads start by themselves; what comes after them is in 'finally { … }'
            t.join()
        }
        finally {
            assert_eq(x, 1)
            check(x == 1)
            expect x == 1
        //! ^~~~~~ error: a '}' is missing before 'expect' | an 'expect' is outside of threads; here, write 'assert'
        //!        ^ error: a claim begins with a word that says when it holds | write 'always', 'never', 'sometimes', 'possible' or 'eventually' before it
            assert x => 1
        //! ^~~~~~ error: 'assert' does not begin a declaration | write 'finally { assert … }'
        }
        //!@1 error: this '}' has no matching '{'
        expect completed
        //!    ^~~~~~~~~ error: a run cannot end in 'completed' | did you mean 'completes'?
        expect no deadlock
        //!    ^~ error: a run cannot end in 'no' | write 'expect completes'
        //!       ^~~~~~~~ error: expected the end of the statement, found 'deadlock' | statements are separated by new lines or ';'
        expect x = 1
        //!    ^ error: a claim begins with a word that says when it holds | write 'always', 'never', 'sometimes', 'possible' or 'eventually' before it
        expect always x = 1
        //!             ^ error: '=' assigns a value, and does not compare | write '=='
        expect never x == 0 || x = 3
        //!                      ^ error: '=' assigns a value, and does not compare | write '=='
        """#,
        #"""
        scenario "values of other languages"
        mutex m
        condition c with m
        semaphore s = 1
        shared flag = false, list = [], n = 0, min = 3
        thread t[2] {
            flag = False
        //!        ^~~~~ error: there is no variable 'False' | write 'false'
            n = tid
        //!     ^~~ error: there is no variable 'tid' | write 'index'
            n = null
        //!     ^~~~ error: there is no variable 'null' | there is no null: write 0 or false
            self.n = 1
        //! ^~~~~~ error: this cannot be assigned to
            n = len(list)
        //!     ^~~ error: there is no function 'len' | write 'list.count'
            unlock(m)
        //! ^~~~~~ error: there is no function 'unlock' | write 'm.unlock()'
            P(s)
        //! ^ error: there is no function 'P' | write 's.wait()'
            notify(c)
        //! ^~~~~~ error: there is no function 'notify' | write 'c.signal()'
            signal(c)
        //! ^~~~~~ error: there is no function 'signal' | write 'c.signal()'
            Thread.sleep(100)
        //! ^~~~~~ error: there is no object 'Thread' | write 'sleep 10ms'
            time.Sleep(1)
        //! ^~~~ error: there is no object 'time' | write 'sleep 10ms'
            n = min(n, 2)
        //!     ^~~ error: 'min' is a shared variable, not a function | rename it: it hides the function 'min'
            n = max(n, flag)
        //!     ^~~~~~~~~~~~ error: 'max' cannot be applied to a number and a truth value
            n = abs(n, 2)
        //!     ^~~~~~~~~ error: wrong number of arguments for 'abs' | write 'abs(a)'
            assertEquals(n, 3)
        //! ^~~~~~~~~~~~ error: there is no function 'assertEquals' | write 'assert a == b'
            pthread_mutex_lock(m)
        //! ^~~~~~~~~~~~~~~~~~ error: there is no function 'pthread_mutex_lock' | write 'm.lock()'
            n = max(flag, true)
        //!     ^~~~~~~~~~~~~~~ error: 'max' cannot be applied to a truth value
        }
        """#,
        #"""
        scenario "habits of a lock's user"
        mutex m
        rwlock r
        shared isReady: Bool
        //!                 ^ error: an initial value is missing | for example '= false'
        atomic isOpen = false
        thread a { m.lock { yield } }
        //!               ^ error: expected the end of the statement, found '{' | write 'lock m { … }'
        thread b { m.lock() { yield } }
        //!                 ^ error: expected the end of the statement, found '{' | write 'lock m { … }'
        thread c { read r { yield } }
        //!             ^ error: expected the end of the statement, found 'r' | write 'reading r { … }'
        thread d { r.writeLock { yield } }
        //!                    ^ error: expected the end of the statement, found '{' | write 'writing r { … }'
        thread e { while !isOpen.load() }
        //!                             ^ error: expected '{', found '}' | an empty body is '{ }'; to wait for a change, write 'await'
        """#,
        #"""
        scenario "habits of a flag's user"
        atomic isOpen = false
        thread a { isOpen = true }
        //!        ^~~~~~ error: 'isOpen' is atomic and can be changed only through its methods | write 'isOpen.store(…)' or 'isOpen.exchange(…)'
        """#,
    ]
}
