import Primitives

extension Case {
    static let managedObjects: [Case] = [
        Case("RC1", "an object ends once, on the thread that releases its last reference", sightings: ["0", "1"]) {
            sightings in
            let main = Thread.current
            let endedOn = Shared(nil, -1)
            let object = ManagedObject { try endedOn.write(Thread.current == main ? 0 : 1) }
            try object.retain()
            let thread = try Thread { try object.release() }
            try object.release()
            try thread.join()
            try sightings.saw("\(endedOn.read())")
        },
        Case("RC2", "an object is neither used, retained nor released after its last release") { _ in
            let object = ManagedObject()
            try object.use()
            try object.release()
            try expectMisuse("used-after-release") { try object.use() }
            try expectMisuse("released-twice") { try object.release() }
        },
        Case("RC2-retain", "an object that has ended is not retained", endings: [.misuse("used-after-release")]) { _ in
            let object = ManagedObject()
            try object.release()
            try object.retain()
        },
        Case("RC3", "an object that still has a reference when the run ends is a leak", endings: [.leak]) { _ in
            let object = ManagedObject("o")
            try object.retain()
            try object.release()
        },
        Case("RC4", "a weak reference becomes a real one only while the object lives", sightings: ["alive", "gone"]) {
            sightings in
            let object = ManagedObject()
            let thread = try Thread {
                if try object.retainIfAlive() {
                    try object.use()
                    try object.release()
                    sightings.saw("alive")
                } else {
                    sightings.saw("gone")
                }
            }
            try object.release()
            try thread.join()
        },
        Case("RC5", "a pool releases in reverse order what was left to it, also after an error") { _ in
            let order = Plain<[Int]>([])
            let objects = (0..<3).map { number in ManagedObject { order.value.append(number) } }
            do {
                try withAutoreleasePool {
                    try objects[0].autorelease()
                    try withAutoreleasePool { try objects[2].autorelease() }
                    try objects[1].autorelease()
                    try expect(order.value == [2])
                    throw Failure()
                }
            } catch is Failure {}
            try expect(order.value == [2, 1, 0])
        },
        Case("RC5-rest", "a pool releases everything that was left to it, also after a release that failed") { _ in
            let order = Plain<[Int]>([])
            do {
                try withAutoreleasePool {
                    for number in 0..<4 {
                        let object = ManagedObject {
                            order.value.append(number)
                            if number > 1 { throw Failed(number: number) }
                        }
                        try object.autorelease()
                    }
                }
                try expect(false, "the error is passed on")
            } catch let first as Failed { try expect(first.number == 3) }
            try expect(order.value == [3, 2, 1, 0])
        },
        Case(
            "RC5-rest-misuse", "a misuse by a pool is reported although the rest is released",
            endings: [.misuse("released-twice")]
        ) { _ in
            let object = ManagedObject("o")
            try withAutoreleasePool {
                try ManagedObject("p").autorelease()
                try object.autorelease()
                try object.release()
            }
        },
        Case(
            "RC5-thread", "a pool belongs to its thread: what another thread leaves to none is a leak", endings: [.leak]
        ) {
            _ in
            try withAutoreleasePool {
                let thread = try Thread { try ManagedObject("o").autorelease() }
                try thread.join()
            }
        },
        Case(
            "RC5-misuse", "a misuse in a pool is reported although the pool is drained",
            endings: [.misuse("released-twice")]
        ) {
            _ in
            let object = ManagedObject("o")
            try withAutoreleasePool {
                try ManagedObject("p").autorelease()
                try object.release()
                try object.release()
            }
        },
        Case(
            "P1-misuse", "a misuse under a spin lock is reported although the lock is released",
            endings: [.misuse("released-twice")]
        ) {
            _ in
            let (lock, object) = (SpinLock(), ManagedObject("o"))
            try lock.withLock {
                try object.release()
                try object.release()
            }
        },
    ]
}

/// The end of an object that fails.
private struct Failed: Error {
    let number: Int
}
