import Primitives

extension Case {
    static let slots: [Case] = [
        Case("L1", "a new slot is empty for every thread, and so is every slot for a new thread") { _ in
            let slot = try ThreadSlot<Plain<Int>>()
            try expect(slot.value == nil)
            slot.value = Plain(1)
            let thread = try Thread { try expect(slot.value == nil) }
            try thread.join()
        },
        Case("L2", "each thread reads what it stored itself") { _ in
            let slot = try ThreadSlot<Plain<Int>>()
            let threads = try (1...2).map { number in
                try Thread {
                    slot.value = Plain(number)
                    try Thread.yield()
                    try expect(slot.value?.value == number)
                }
            }
            for thread in threads { try thread.join() }
            try expect(slot.value == nil)
        },
        Case("L3", "when a thread ends, its value is destroyed once, with its slot already empty") { _ in
            let slot = Plain<ThreadSlot<Plain<Int>>?>(nil)
            let destroyed = Plain<[Int]>([])
            slot.value = try ThreadSlot { value in
                destroyed.value.append(value.value)
                if slot.value?.value != nil { destroyed.value.append(-1) }
            }
            let thread = try Thread { slot.value?.value = Plain(5) }
            try thread.join()
            try expect(destroyed.value == [5], "\(destroyed.value)")
            slot.value = nil
        },
        Case("L4", "a destructor that stores again is run again, four times in all") { _ in
            let slot = Plain<ThreadSlot<Plain<Int>>?>(nil)
            let rounds = Plain(0)
            slot.value = try ThreadSlot { value in
                rounds.value += 1
                slot.value?.value = value
            }
            let thread = try Thread { slot.value?.value = Plain(0) }
            try thread.join()
            try expect(rounds.value == 4, "\(rounds.value) rounds")
            slot.value = nil
        },
        Case("L5", "deleting a slot destroys nothing, then or later") { sightings in
            let slot = try ThreadSlot<Plain<Int>> { _ in sightings.saw("destructor") }
            let thread = try Thread {
                slot.value = Plain(1)
                slot.delete()
                try expect(slot.value == nil)
                slot.value = Plain(2)
                try expect(slot.value == nil)
            }
            try thread.join()
        },
        Case("L6", "slots can be created until the system has no keys left; a deletion makes one available") { _ in
            var slots: [ThreadSlot<Plain<Int>>] = []
            defer { for slot in slots { slot.delete() } }
            try expectMisuse("invalid-value") {
                for _ in 0...1024 { slots.append(try ThreadSlot()) }
            }
            try expect(slots.count > 900, "\(slots.count) slots")
            slots.removeLast().delete()
            slots.append(try ThreadSlot())
        },
        Case("L6-stale", "a deleted slot does not see what is stored in the one that got its key") { _ in
            var slots: [ThreadSlot<Plain<Int>>] = []
            defer { for slot in slots { slot.delete() } }
            while slots.count < 1025, let slot = try? ThreadSlot<Plain<Int>>() { slots.append(slot) }
            let stale = slots.removeLast()
            stale.delete()
            let text = try ThreadSlot<Plain<String>>()
            defer { text.delete() }
            text.value = Plain("new")
            try expect(stale.value == nil)
            stale.delete()
            try expect(text.value?.value == "new")
        },
        Case("L7", "a new thread sees no value of one that has ended") { _ in
            let slot = try ThreadSlot<Plain<Int>>()
            for _ in 0..<3 {
                let thread = try Thread {
                    try expect(slot.value == nil)
                    slot.value = Plain(1)
                }
                try thread.join()
            }
        },
        Case("L-join", "a thread's destructors have finished when its join returns") { _ in
            let done = Shared(nil, false)
            let slot = try ThreadSlot<Plain<Int>> { _ in try? done.write(true) }
            let thread = try Thread { slot.value = Plain(1) }
            try thread.join()
            try expect(done.read())
        },
        Case("L-dictionary", "each thread has a separate dictionary") { _ in
            ThreadDictionary.current.set("key", 1)
            let thread = try Thread {
                try expect(ThreadDictionary.current.value("key", as: Int.self) == nil)
                ThreadDictionary.current.set("key", "text")
                try expect(ThreadDictionary.current.value("key") == "text")
            }
            try thread.join()
            try expect(ThreadDictionary.current.value("key") == 1)
            try expect(ThreadDictionary.current.value("key", as: String.self) == nil)
        },
    ]
}
