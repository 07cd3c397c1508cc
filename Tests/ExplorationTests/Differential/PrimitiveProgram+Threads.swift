import Primitives

extension PrimitiveProgram {
    static let threads = [
        Self("a thread that is killed while it holds a robust mutex, or before, or after") { sight in
            let mutex = Mutex(nil, .robust)
            let thread = try Thread(nil, ThreadAttributes(canBeKilled: true)) { try mutex.withLock {} }
            try thread.kill()
            try mutex.lock()
            sight.saw(mutex.ownerDied)
            mutex.makeConsistent()
            try mutex.unlock()
            try thread.join()
        },
        Self("a thread that is killed while it holds a mutex, or before, or after") { sight in
            let mutex = Mutex()
            let thread = try Thread(nil, ThreadAttributes(canBeKilled: true)) {
                try mutex.withLock {}
                sight.saw("done", as: "t")
            }
            try thread.kill()
            try thread.join()
            try mutex.withLock { sight.saw("locked") }
        },
        Self("a thread that one starts, one cancels, and one waits for") { sight in
            let object = ThreadObject<Int> { 7 }
            try together({ try object.start() }, { try object.cancel() }) {
                do { sight.saw(try object.join(), as: "t") } catch let error as ThreadObject<Int>.NoValue {
                    sight.saw(error, as: "t")
                }
            }
        },
        Self("a thread that two start and one cancels") { sight in
            let object = ThreadObject<Int> { 7 }
            try together({ try object.start() }, { try object.start() }) { try object.cancel() }
        },
        Self("two threads that start threads") { sight in
            let a = ThreadObject<Int>("a") { 1 }
            let b = ThreadObject<Int>("b") { 2 }
            try together({
                try a.start()
                sight.saw(try a.join(), as: "t")
            }) {
                try b.start()
                sight.saw(try b.join(), as: "u")
            }
        },
        Self("a thread that can be created once another one has ended") { sight in
            try Thread.setLimit(2)
            let flag = Atomic("flag", 0)
            try Thread.detach { try flag.store(1) }
            do {
                try Thread { sight.saw(try flag.load(), as: "t") }.join()
            } catch is ThreadCreationFailed { sight.saw("refused") }
            sight.saw(try flag.load())
        },
        Self("a thread that can be created once another thread has joined one") { sight in
            try Thread.setLimit(3)
            let a = try Thread {}
            let joins = try Thread { try a.join() }
            do {
                try Thread {}.join()
                sight.saw("created")
            } catch is ThreadCreationFailed { sight.saw("refused") }
            try joins.join()
        },
        Self("two threads that say what they do at their end, and have slots") { sight in
            let slot = try ThreadSlot<Sight> { $0.saw("slot", as: "slot") }
            try together(
                {
                    Thread.whenExiting { sight.saw("exits", as: "t") }
                    slot.value = sight
                },
                {
                    slot.value = sight
                    Thread.whenExiting { sight.saw("exits", as: "u") }
                })
        },
    ]

    static let processes = [
        Self("two objects with the same file") { sight in
            try together({ sight.saw(try DistributedLock("file").tryLock(), as: "t") }) {
                sight.saw(try DistributedLock("file").tryLock(), as: "u")
            }
        },
        Self("a file lock that another thread releases") { sight in
            let lock = try DistributedLock("file")
            try together({ sight.saw(try lock.tryLock(), as: "t") }) { try lock.unlock() }
        },
        Self("a process that is killed, and its lock") { sight in
            let lock = try DistributedLock("file")
            let process = try ChildProcess("p") {
                sight.saw(try lock.tryLock(), as: "p")
                return 0
            }
            try process.kill()
            sight.saw(try process.wait())
            sight.saw(try lock.holder()?.isAlive())
        },
        Self("a signal with two threads that can get it") { sight in
            let signal = try ProcessSignal { sight.saw(Thread.current.isMain, as: "handler") }
            let flag = Atomic("flag", 0)
            let t = try Thread {
                try flag.store(1)
                try flag.store(2)
            }
            try signal.send()
            sight.saw(try flag.load())
            try t.join()
        },
        Self("a handler that is installed while a thread runs") { sight in
            let flag = Atomic("flag", 0)
            let t = try Thread {
                try flag.store(1)
                try Thread.yield()
                ProcessSignal.block()
            }
            let signal = try ProcessSignal { sight.saw(Thread.current.isMain, as: "handler") }
            try signal.send()
            try t.join()
        },
    ]
}
