import CPthread
import Machine
import Testing
import Trace

@testable import Execution

@Suite struct NativeConditionTests {
    @Test func `a wait gives the mutex up and has it again afterwards`() throws {
        let report = try runNatively { lab in
            let (mutex, condition) = (lab.mutex("m"), lab.condition("c"))
            let ready = lab.make(.cell, .cell)
            let waiter = try lab.thread("waiter") {
                try lab.lock(mutex)
                while try lab.perform(.read, ready) == 0 { try lab.expect(lab.wait(condition, mutex), is: 1) }
                try lab.unlock(mutex)
            }
            try lab.lock(mutex)
            _ = try lab.perform(.write, ready, 1)
            _ = try lab.perform(.signal, condition)
            try lab.unlock(mutex)
            try lab.join(waiter)
            try lab.expect(lab.perform(.destroy, condition), is: 0)
            for object in [mutex, condition, ready] { lab.runtime.discard(object, evenIf: false) }
        }
        #expect(report.result.isComplete)
    }

    @Test func `a signal without a waiter is not remembered`() throws {
        let report = try runNatively { lab in
            let (mutex, condition) = (lab.mutex("m"), lab.condition("c"))
            _ = try lab.perform(.signal, condition)
            _ = try lab.perform(.broadcast, condition)
            try lab.lock(mutex)
            try lab.expect(lab.wait(condition, mutex, until: lab.runtime.now + 1_000_000), is: 0)
            try lab.expect(lab.wait(condition, mutex, until: 0), is: 0)
            try lab.expect(lab.perform(.tryLock, mutex), is: 0)
            try lab.unlock(mutex)
        }
        #expect(report.count(.conditionTimeout) == 2)
    }

    @Test func `a broadcast wakes all`() throws {
        let report = try runNatively { lab in
            let (mutex, condition) = (lab.mutex(), lab.condition())
            let (count, goes) = (lab.atomic(), lab.make(.cell, .cell))
            let threads = try (0..<5).map { _ in
                try lab.thread {
                    try lab.lock(mutex)
                    _ = try lab.perform(.add, count, 1)
                    while try lab.perform(.read, goes) == 0 { try lab.expect(lab.wait(condition, mutex), is: 1) }
                    try lab.unlock(mutex)
                }
            }
            // Having the mutex then means that all of them wait.
            try lab.eventually { (try? lab.perform(.load, count)) == 5 }
            try lab.lock(mutex)
            _ = try lab.perform(.write, goes, 1)
            _ = try lab.perform(.broadcast, condition)
            try lab.unlock(mutex)
            for thread in threads { try lab.join(thread) }
            for object in [mutex, condition, goes] { lab.runtime.discard(object, evenIf: false) }
        }
        #expect(report.result.isComplete)
        // A wait may end without a signal, so there may be more wake-ups than threads.
        let woken = report.document.events.filter { $0.kind == .conditionWake }.map(\.thread)
        #expect(Set(woken).count == 5)
    }

    @Test func `a far deadline is no trouble`() throws {
        try runNatively { lab in
            let (mutex, condition) = (lab.mutex(), lab.condition())
            let waiter = try lab.thread {
                try lab.lock(mutex)
                try lab.expect(lab.wait(condition, mutex, until: Int.max - 1), is: 1)
                try lab.unlock(mutex)
            }
            while try lab.perform(.tryJoin, waiter) == 0 {
                try lab.lock(mutex)
                _ = try lab.perform(.signal, condition)
                try lab.unlock(mutex)
            }
        }
    }

    @Test func `waiting needs the mutex, and the same one as the others`() throws {
        try runNatively { lab in
            let (mutex, other, condition, count) = (lab.mutex("m"), lab.mutex("o"), lab.condition("c"), lab.atomic())
            #expect(lab.misuse { try lab.wait(condition, mutex) } == "wait-not-owner")
            let waiter = try lab.thread {
                try lab.lock(mutex)
                _ = try lab.perform(.add, count, 1)
                try lab.wait(condition, mutex)
                try lab.unlock(mutex)
            }
            try lab.eventually { (try? lab.perform(.load, count)) == 1 }
            // Having the mutex means that the waiter waits.
            try lab.lock(mutex)
            #expect(lab.misuse { try lab.perform(.destroy, condition) } == "destroy-held")
            try lab.lock(other)
            #expect(lab.misuse { try lab.wait(condition, other) } == "wait-other-mutex")
            _ = try lab.perform(.signal, condition)
            // No thread waits now, although the waiter has not returned: another mutex is allowed, and so is destroying
            // it.
            try lab.expect(lab.wait(condition, other, until: 0), is: 0)
            try lab.expect(lab.perform(.destroy, lab.condition()), is: 0)
            try lab.unlock(other)
            try lab.unlock(mutex)
            try lab.join(waiter)
        }
    }

    @Test func `a wait takes one level off a recursive mutex, and puts it on again`() throws {
        try runNatively { lab in
            let (mutex, condition, count) = (lab.mutex("m", .recursiveMutex), lab.condition("c"), lab.atomic())
            let waiter = try lab.thread {
                for _ in 0..<2 { try lab.lock(mutex) }
                _ = try lab.perform(.add, count, 1)
                try lab.wait(condition, mutex)
                for _ in 0..<2 { try lab.unlock(mutex) }
                #expect(lab.misuse { try lab.unlock(mutex) } == "unlock-not-owner")
            }
            try lab.eventually { (try? lab.perform(.load, count)) == 1 }
            // Held twice, it is never free while the other one waits.
            try lab.expect(lab.perform(.lockUntil, mutex, 0, lab.runtime.now + 5_000_000), is: 0)
            while try lab.perform(.tryJoin, waiter) == 0 { _ = try lab.perform(.signal, condition) }
            try lab.expect(lab.perform(.tryLock, mutex), is: 1)
            try lab.unlock(mutex)
        }
    }
}
