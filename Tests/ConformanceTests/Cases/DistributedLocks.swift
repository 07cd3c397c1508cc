import Primitives

extension Case {
    static let distributedLocks: [Case] = [
        Case("D-1", "two objects for one file exclude each other") { _ in
            let first = try DistributedLock("lock")
            let second = DistributedLock(sameFileAs: first)
            try expect(first.tryLock())
            try expect(!second.tryLock() && !first.tryLock())
            try first.unlock()
            try expect(first.holder() == nil && second.tryLock())
            try second.unlock()
        },
        Case("D-1-race", "of two threads that try at the same time one gets it", sightings: ["first", "second"]) {
            sightings in
            let lock = try DistributedLock("lock")
            let loser = try Thread.returning { try DistributedLock(sameFileAs: lock).tryLock() ? 1 : 0 }
            let isFirst = try DistributedLock(sameFileAs: lock).tryLock()
            let isSecond = try loser.join() == 1
            try expect(isFirst != isSecond)
            sightings.saw(isFirst ? "first" : "second")
        },
        Case(
            "D-1-owner", "an object that has not locked it cannot unlock it", endings: [.misuse("unlock-not-owner")]
        ) { _ in
            let lock = try DistributedLock("lock")
            try expect(lock.tryLock())
            try DistributedLock(sameFileAs: lock).unlock()
        },
        Case(
            "D-2", "a lock whose owner has died stays held, until it is broken", runsOnRealThreads: false
        ) { _ in
            let lock = try DistributedLock("lock")
            let owner = try ChildProcess("owner") {
                _ = try DistributedLock(sameFileAs: lock).tryLock()
                return 7
            }
            try expect(owner.wait() == .exited(7))
            try expect(!lock.tryLock())
            try expect(lock.holder()?.isAlive() == false)
            try lock.breakLock()
            try expect(lock.tryLock() && lock.holder()?.isAlive() == true)
            try lock.unlock()
        },
        Case(
            "D-2-killed", "a process that is killed while it holds a lock leaves it held", sightings: ["held", "free"],
            runsOnRealThreads: false
        ) { sightings in
            let lock = try DistributedLock("lock")
            let owner = try ChildProcess("owner") {
                let own = DistributedLock(sameFileAs: lock)
                _ = try own.tryLock()
                try Thread.yield()
                try own.unlock()
                return 0
            }
            try owner.kill()
            let ending = try owner.wait()
            let isHeld = try lock.holder() != nil
            try expect(!isHeld || ending == .killed)
            sightings.saw(isHeld ? "held" : "free")
        },
        Case("D-broken", "the owner of a lock that was broken learns of it when it unlocks") { _ in
            let lock = try DistributedLock("lock")
            let other = DistributedLock(sameFileAs: lock)
            try expect(lock.tryLock())
            try other.breakLock()
            try expect(other.tryLock())
            do {
                try lock.unlock()
                try expect(false, "it is refused")
            } catch is DistributedLock.Broken {}
            try other.unlock()
        },
        Case("D-1-path", "a name that is empty, too long or a path is refused, also for a file of records") { _ in
            let long = String(repeating: "x", count: 201)
            for name in ["", ".", "..", "../x", "/x", "x/y", "x\0", long] {
                do {
                    _ = try DistributedLock(name)
                    try expect(false, "\(name) is refused")
                } catch let refusal as FileFailed {
                    try expect(refusal.description.contains("cannot be the name of a file"))
                }
                do {
                    _ = try RecordFile(name)
                    try expect(false, "\(name) is refused")
                } catch is FileFailed {}
            }
            _ = try DistributedLock("..x")
        },
        Case(
            "D-1-name", "two objects that were made with the same name are for the same file",
            sightings: ["first", "second"]
        ) { sightings in
            let loser = try Thread.returning { try DistributedLock("lock").tryLock() ? 1 : 0 }
            let isFirst = try DistributedLock("lock").tryLock()
            let isSecond = try loser.join() == 1
            try expect(isFirst != isSecond)
            sightings.saw(isFirst ? "first" : "second")
        },
    ]
}
