import Primitives

extension Case {
    static let atomics: [Case] = [
        Case("A1", "bit n of test-and-set is mask 0x80 >> (n & 7) of byte n >> 3: 0 is 128, 7 is 1, 15 is 256") { _ in
            // Darwin's numbering, written out: bits 0 to 31 of a little-endian word.
            let masks = [
                0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01,
                0x8000, 0x4000, 0x2000, 0x1000, 0x0800, 0x0400, 0x0200, 0x0100,
                0x80_0000, 0x40_0000, 0x20_0000, 0x10_0000, 0x08_0000, 0x04_0000, 0x02_0000, 0x01_0000,
                0x8000_0000, 0x4000_0000, 0x2000_0000, 0x1000_0000, 0x0800_0000, 0x0400_0000, 0x0200_0000, 0x0100_0000,
            ]
            for (bit, mask) in masks.enumerated() {
                let word = Atomic(nil, 0)
                try expect(!word.testAndSet(bit: bit))
                try expect(word.load() == mask, "bit \(bit) is \(mask)")
                try expect(word.testAndClear(bit: bit))
                try expect(word.load() == 0)
            }
            let word = Atomic(nil, 0)
            try expectMisuse("invalid-value") { _ = try word.testAndSet(bit: 64) }
            try expectMisuse("invalid-value") { _ = try word.testAndClear(bit: -1) }
        },
        Case("A2", "test-and-set and test-and-clear return the old bit") { _ in
            let word = Atomic(nil, 0)
            try expect(!word.testAndSet(bit: 3))
            try expect(word.testAndSet(bit: 3))
            try expect(word.testAndClear(bit: 3))
            try expect(!word.testAndClear(bit: 3))
        },
        Case("A3", "compare-exchange stores only if the value is the expected one") { _ in
            let word = Atomic(nil, 256)
            let first = try word.compareExchange(expected: 256, desired: 512)
            try expect(first.exchanged && first.original == 256 && word.load() == 512)
            let second = try word.compareExchange(expected: 256, desired: 1024)
            try expect(!second.exchanged && second.original == 512 && word.load() == 512)
        },
        Case("A3-others", "the other updates return the old value") { _ in
            let word = Atomic(nil, 0b1100)
            try expect(word.bitAnd(0b0110) == 0b1100)
            try expect(word.bitOr(0b0001) == 0b0100)
            try expect(word.bitXor(0b0111) == 0b0101)
            try expect(word.exchange(.max) == 0b0010)
            try expect(word.add(1) == .max)
            try expect(word.load() == .min)
        },
        Case("A3-narrow", "a word of 32 bits wraps around in them, and has bits 0 to 31") { _ in
            let word = Atomic<Int32>(nil, .max)
            try expect(word.add(1) == .max)
            try expect(word.load() == .min)
            try expect(word.compareExchange(expected: .min, desired: 0).exchanged)
            try expect(word.add(-1) == 0)
            try expect(word.bitAnd(0b1100) == -1)
            try expect(word.bitXor(0b0100) == 0b1100)
            try expect(word.bitOr(1) == 0b1000)
            try expect(word.exchange(0) == 0b1001)
            try expect(!word.testAndSet(bit: 24))
            try expect(word.load() == .min, "bit 24 is the highest bit of byte 3")
            try expect(word.testAndClear(bit: 24))
            try expect(word.load() == 0)
            try expectMisuse("invalid-value") { _ = try word.testAndSet(bit: 32) }
            try race { try word.add(1) }
            try expect(word.load() == 4)
        },
        Case("A4-add", "racing atomic additions all count") { _ in
            let word = Atomic(nil, 0)
            try race { try word.add(1) }
            try expect(word.load() == 4)
        },
        Case("A4-exchange", "racing compare-exchange loops all count") { _ in
            let word = Atomic(nil, 0)
            try race(times: 1) {
                var old = try word.load()
                while true {
                    let result = try word.compareExchange(expected: old, desired: old + 1)
                    if result.exchanged { break }
                    old = result.original
                }
            }
            try expect(word.load() == 2)
        },
        Case("A4-lost", "of racing loads and stores one may be lost", sightings: ["2", "3", "4"], search: .every) {
            sightings in
            let word = Atomic(nil, 0)
            try race { try word.store(word.load() + 1) }
            try sightings.saw("\(word.load())")
        },
        Case("A4-plain", "of racing updates of plain memory one may be lost", sightings: ["1", "2"], isRace: true) {
            sightings in
            let cell = Shared(nil, 0)
            try race(times: 1) { try cell.update { $0 + 1 } }
            try sightings.saw("\(cell.read())")
        },
        Case("A8-end", "the old value of an atomic property is released without the lock, which its end may need") {
            _ in
            let locks = try StripedLocks(count: 1)
            let other = AtomicProperty("other", 0, in: locks, address: 0)
            let property = AtomicProperty<AtItsEnd?>("p", AtItsEnd { try? other.set(1) }, in: locks, address: 1)
            try property.set(nil)
            try expect(other.get() == 1)
        },
    ]

    private static func race(times: Int = 2, _ update: @escaping @Sendable () throws -> Void) throws {
        let threads = try (0..<2).map { _ in try Thread { for _ in 0..<times { try update() } } }
        for thread in threads { try thread.join() }
    }
}
