import Glibc
import Machine
import Synchronization
import Testing
import Trace

@testable import Execution

/// One test after the other: they count the values that are alive.
@Suite(.serialized) struct NativeSlotTests {
    /// Counts its instances.
    final class Value: Sendable {
        static let alive = Atomic(0)
        init() { Self.alive.add(1, ordering: .relaxed) }
        deinit { Self.alive.subtract(1, ordering: .relaxed) }
    }

    @Test func `each thread has its own value, and the destructor gets it`() throws {
        let destroyed = Atomic(0)
        let report = try runNatively { lab in
            let slot = try #require(lab.runtime.makeSlot(shownAs: .slot) { _ in destroyed.add(1, ordering: .relaxed) })
            lab.runtime.setSlotValue(slot, Value())
            for detached in [false, true] {
                _ = try lab.thread(detached: detached) {
                    #expect(lab.runtime.slotValue(slot) == nil)
                    let mine = Value()
                    lab.runtime.setSlotValue(slot, mine)
                    #expect(lab.runtime.slotValue(slot) === mine)
                }
            }
            try lab.eventually { destroyed.load(ordering: .relaxed) == 2 }
            #expect(lab.runtime.slotValue(slot) != nil)
        }
        #expect(destroyed.load(ordering: .relaxed) == 2)
        #expect(report.count(.slotSet) == 3 && report.count(.slotDestroy) == 2)
        #expect(Value.alive.load(ordering: .relaxed) == 0)
    }

    /// ThreadSanitizer releases its own data in the fourth round, and crashes in code that runs later.
    static let isSanitized = dlsym(nil, "__tsan_init") != nil

    @Test(.enabled(if: !isSanitized))
    func `a destructor that stores again is called for four rounds`() throws {
        let rounds = Atomic(0)
        let result = try runNatively { lab in
            let key = Atomic(0)
            let slot = try #require(
                lab.runtime.makeSlot(shownAs: .slot) { value in
                    rounds.add(1, ordering: .relaxed)
                    lab.runtime.setSlotValue(key.load(ordering: .relaxed), value)
                })
            key.store(slot, ordering: .relaxed)
            try lab.join(try lab.thread { lab.runtime.setSlotValue(slot, Value()) })
        }.result
        #expect(rounds.load(ordering: .relaxed) == 4)
        #expect(result == NativeResult(isComplete: true, unresponsive: []))
    }

    @Test func `a deleted key calls no destructor`() throws {
        try runNatively { lab in
            let slot = try #require(lab.runtime.makeSlot(shownAs: .slot) { _ in Issue.record("called") })
            try lab.join(
                try lab.thread {
                    lab.runtime.setSlotValue(slot, Value())
                    lab.runtime.deleteSlot(slot)
                    #expect(lab.runtime.slotValue(slot) == nil)
                })
        }
    }

    @Test func `a main thread that exits as a thread has destructors called, one that returns has not`() throws {
        for (exits, expected) in [(true, 1), (false, 0)] {
            let destroyed = Atomic(0)
            try runNatively { lab in
                let slot = try #require(
                    lab.runtime.makeSlot(shownAs: .slot) { _ in destroyed.add(1, ordering: .relaxed) })
                lab.runtime.setSlotValue(slot, Value())
                if exits { throw ThreadExit(value: 0) }
            }
            #expect(destroyed.load(ordering: .relaxed) == expected)
        }
    }
}
