import Primitives

extension PrimitiveProgram {
    static let memory = [
        Self("a counted object that two threads release, and one wants") { sight in
            let object = ManagedObject { sight.saw("end", as: "object") }
            try together({ try object.release() }) {
                sight.saw(try object.retainIfAlive(), as: "t")
            }
        },
        Self("an object that a thread leaves to its pool, and uses of another thread") { sight in
            let object = ManagedObject { sight.saw("end", as: "object") }
            try together({
                try withAutoreleasePool { try object.autorelease() }
            }) {
                try object.use()
                sight.saw("used", as: "t")
            }
        },
        Self("two threads with pools of their own, before and after other objects") { sight in
            let flag = Atomic("flag", 0)
            try together(
                {
                    try withAutoreleasePool { try flag.store(1) }
                    let own = Atomic("own", 0)
                    try own.store(flag.load())
                    sight.saw(try own.load(), as: "t")
                },
                {
                    try withAutoreleasePool { try flag.store(2) }
                    let own = Atomic("own", 0)
                    try own.store(flag.load())
                    sight.saw(try own.load(), as: "u")
                })
        },
        Self("properties that share a lock") { sight in
            let locks = try StripedLocks(count: 1)
            let one = AtomicProperty("one", 0, in: locks, address: 1)
            let two = AtomicProperty("two", 0, in: locks, address: 2)
            try together({
                try one.set(1)
                sight.saw(try two.get(), as: "t")
            }) {
                try two.set(1)
                sight.saw(try one.get(), as: "u")
            }
        },
    ]

    static let locks = [
        Self("a spin lock that one tries, one takes, and one frees without having it") { sight in
            let lock = SpinLock()
            try together(
                {
                    let has = try lock.tryLock()
                    sight.saw(has, as: "t")
                    if has { try lock.unlock() }
                }, { try lock.withLock {} }, { try lock.unlock() })
        },
        Self("two spin locks in opposite orders") { sight in
            let (a, b) = (SpinLock("a"), SpinLock("b"))
            try together({ try a.withLock { try b.withLock { sight.saw("both", as: "t") } } }) {
                try b.withLock { try a.withLock { sight.saw("both", as: "u") } }
            }
        },
        Self("two tokens in opposite orders") { sight in
            let locks = TokenLocks()
            let (a, b) = (Sight(), Sight())
            try together(
                { try locks.synchronized(a) { try locks.synchronized(b) { sight.saw("both", as: "t") } } },
                { try locks.synchronized(b) { try locks.synchronized(a) { sight.saw("both", as: "u") } } })
        },
        Self("a wait with a mutex that has a ceiling") { sight in
            let mutex = try Mutex(priority: .ceiling(20))
            let condition = Condition()
            let isSet = Atomic(nil, 0)
            try together({
                try Thread.setPriority(5)
                try mutex.withLock { while try isSet.load() == 0 { try condition.wait(with: mutex) } }
                sight.saw(Thread.priority, as: "t")
            }) {
                try Thread.setPriority(10)
                try mutex.withLock {
                    try isSet.store(1)
                    try condition.signal()
                }
                sight.saw(Thread.priority, as: "u")
            }
        },
    ]
}
