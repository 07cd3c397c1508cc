import Primitives

extension Case {
    static let conditionLocks: [Case] = [
        Case("K1", "a new lock has the condition that it was created with, by default 0") { _ in
            try expect(ConditionLock().condition() == 0)
            try expect(ConditionLock(condition: 7).condition() == 7)
        },
        Case("K2", "lock acquires it whatever its condition") { _ in
            let lock = ConditionLock(condition: 7)
            try lock.lock()
            try expect(lock.condition() == 7)
            try lock.unlock()
        },
        Case("K3", "lock for a condition waits until another thread unlocks with it") { _ in
            let lock = ConditionLock()
            let thread = try Thread {
                try lock.lock(whenCondition: 1)
                try expect(lock.condition() == 1)
                try lock.unlock()
            }
            try lock.lock()
            try lock.unlock(withCondition: 1)
            try thread.join()
        },
        Case("K3-never", "lock for a condition that is never set waits forever", endings: [.deadlock]) { _ in
            try ConditionLock().lock(whenCondition: 1)
        },
        Case("K4", "a consumer gets what the producer sent, in order", search: .some) { _ in
            let lock = ConditionLock()
            let item = Plain(0)
            let producer = try Thread {
                for number in 1...10 {
                    try lock.lock(whenCondition: 0)
                    item.value = number
                    try lock.unlock(withCondition: 1)
                }
            }
            for number in 1...10 {
                try lock.lock(whenCondition: 1)
                try expect(item.value == number)
                try lock.unlock(withCondition: 0)
            }
            try producer.join()
        },
        Case("K5", "try-lock is refused while it is held, to its owner too, also when the condition matches") { _ in
            let lock = ConditionLock()
            try lock.lock()
            try expect(!lock.tryLock())
            try expect(!lock.tryLock(whenCondition: 0))
            let thread = try Thread { try expect(!lock.tryLock()) }
            try thread.join()
            try lock.unlock()
        },
        Case("K6", "try-lock for another condition is refused, and leaves it free") { _ in
            let lock = ConditionLock()
            try expect(!lock.tryLock(whenCondition: 1))
            try expect(lock.tryLock(whenCondition: 0))
            try lock.unlock()
        },
        Case("K7", "lock for a condition until a deadline gives up then, not before, and does not hold it") { _ in
            let lock = ConditionLock()
            let deadline = Instant.now + .milliseconds(2)
            try expect(!lock.lock(whenCondition: 1, until: deadline))
            try expect(Instant.now >= deadline)
            try expect(lock.tryLock())
            try lock.unlock()
        },
        Case("K8", "unlock keeps the condition, and lets waiters test it again") { _ in
            let lock = ConditionLock(condition: 1)
            try lock.lock()
            let thread = try Thread {
                try lock.lock(whenCondition: 1)
                try lock.unlock()
            }
            try lock.unlock()
            try thread.join()
            try expect(lock.condition() == 1)
        },
        Case(
            "K9", "unlock with a condition wakes only the threads that wait for it", endings: [.deadlock],
            sightings: ["9"]
        ) { sightings in
            let lock = ConditionLock()
            let nine = try Thread {
                try lock.lock(whenCondition: 9)
                sightings.saw("9")
                try lock.unlock()
            }
            try lock.lock()
            try lock.unlock(withCondition: 9)
            try nine.join()
            try lock.lock(whenCondition: 8)
        },
        Case("K10", "the owner that locks again waits for itself", endings: [.deadlock]) { _ in
            let lock = ConditionLock()
            try lock.lock()
            try lock.lock()
        },
        Case("K11", "another thread's unlock is refused, and it stays held with its condition") { _ in
            let lock = ConditionLock(condition: 3)
            try lock.lock()
            let thread = try Thread {
                try expectMisuse("unlock-not-owner") { try lock.unlock(withCondition: 4) }
                try expect(!lock.tryLock())
            }
            try thread.join()
            try expect(lock.condition() == 3)
            try lock.unlock()
        },
    ]
}
