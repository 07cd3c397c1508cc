import CCompiled
import Machine
import Trace

/// The machine's objects that represent what a compiled program has in its memory: locks, conditions, and the memory
/// itself.
///
/// An object is identified by its address and part. It keeps its number in the machine in all executions of a subject.
/// In each execution it is made again when a thread first uses it.
final class ProgramObjects {
    /// What an object at an address is. An address can have one of each at the same time.
    enum Part: Int {
        /// A mutex, a semaphore or a read-write lock.
        case lock
        case condition, memory
    }

    private struct Entry {
        /// See `key(_:_:)`. 0: the entry is free.
        var key: UInt64 = 0
        var number: UInt32 = 0
    }

    private let state: MachineState
    /// A table with open addressing, by address and part.
    @exclusivity(unchecked) private var entries = OwnedBuffer(repeating: Entry(), count: 1024)
    @exclusivity(unchecked) private var count = 0
    /// The last execution that used each object, by the object's number. 0: the object must be made again before its
    /// next use.
    @exclusivity(unchecked) private var lastUse = OwnedBuffer<UInt32>(repeating: 0, count: 1024)
    /// The number of the present execution, from 1 on.
    @exclusivity(unchecked) private var execution: UInt32 = 0

    init(_ state: MachineState) { self.state = state }

    /// Begins an execution, in which no object exists yet.
    func begin() { execution &+= 1 }

    /// The object's number. The object is made if this execution has not used it yet.
    ///
    /// - Parameters:
    ///   - value: computes the value of an object that is made.
    ///   - onNew: called with the number if the object was made.
    @inline(always)
    func number(
        _ address: UInt64, _ part: Part, _ kind: ObjectState.Kind, value: () -> Int = { 0 }, onNew: (UInt32) -> Void
    ) -> UInt32 {
        let key = Self.key(address, part)
        var place = firstPlace(of: key)
        while true {
            let entry = entries[place]
            if entry.key == key && lastUse[Int(entry.number)] == execution { return entry.number }
            if entry.key == key || entry.key == 0 { break }
            place = (place + 1) & (entries.capacity - 1)
        }
        var number = entries[place].number
        if entries[place].key == 0 {
            number = make(address, part, kind, value())
            add(key, number)
        } else {
            state.addAgain(number, kind, value: value())
        }
        (lastUse.base + Int(number)).pointee = execution
        onNew(number)
        return number
    }

    /// Four times the address, plus the number of the part, plus 1: never 0.
    @inline(__always) private static func key(_ address: UInt64, _ part: Part) -> UInt64 {
        address << 2 | UInt64(part.rawValue) + 1
    }

    /// The entry at which the search for a key begins. The multiplier is 2^64 divided by the golden ratio (Fibonacci
    /// hashing).
    @inline(__always) private func firstPlace(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40) & (entries.capacity - 1)
    }

    /// Forgets the lock and the condition at the address: each is made again when it is next used.
    func forget(_ address: UInt64) {
        for part in [Part.lock, .condition] {
            let key = Self.key(address, part)
            var place = firstPlace(of: key)
            while entries[place].key != 0 && entries[place].key != key { place = (place + 1) & (entries.capacity - 1) }
            if entries[place].key == key { (lastUse.base + Int(entries[place].number)).pointee = 0 }
        }
    }

    @inline(never) private func make(_ address: UInt64, _ part: Part, _ kind: ObjectState.Kind, _ value: Int) -> UInt32
    {
        let identity = ObjectIdentity(address: address, part: part.rawValue)
        guard let number = state.addObject(kind, value: value, identity) else {
            preconditionFailure("a run may have no more than \(MachineState.maximumObjects) objects")
        }
        let before = lastUse.capacity
        if Int(number) >= before {
            lastUse.reserve(Int(number) + 1, keeping: before)
            (lastUse.base + before).initialize(repeating: 0, count: lastUse.capacity - before)
        }
        return number
    }

    private func add(_ key: UInt64, _ number: UInt32) {
        count += 1
        if count * 2 > entries.capacity { grow() }
        insert(Entry(key: key, number: number))
    }

    private func insert(_ entry: Entry) {
        var place = firstPlace(of: entry.key)
        while entries[place].key != 0 { place = (place + 1) & (entries.capacity - 1) }
        (entries.base + place).pointee = entry
    }

    private func grow() {
        let before = entries.capacity
        let old = (0..<before).map { entries[$0] }.filter { $0.key != 0 }
        entries = OwnedBuffer(repeating: Entry(), count: before * 2)
        for entry in old { insert(entry) }
    }
}
