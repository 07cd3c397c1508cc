/// What a step accesses of one object. The object stands for up to eight bytes of a compiled program's memory.
package struct MemoryPiece: BitwiseCopyable {
    package let object: UInt32
    /// The bytes that the step accesses: bit i is byte i of the aligned eight bytes that contain the object.
    package let bytes: UInt8
    /// Whether the step accesses only some of the object's bytes.
    package let isPart: Bool
    /// The number of bytes for which the object stands.
    package let size: UInt8
    /// The address of the first of them.
    package let address: UInt64

    package init(object: UInt32, bytes: UInt8, isPart: Bool, size: UInt8, address: UInt64) {
        self.object = object
        self.bytes = bytes
        self.isPart = isPart
        self.size = size
        self.address = address
    }
}

/// What each thread's next step accesses in byte-addressed memory (of compiled programs), where one step can touch
/// several objects, and only some bytes of an object. The memory itself does not belong to the machine.
///
/// A step on memory reads or writes its pieces. Any other step that has pieces, such as one on a lock in memory that
/// can be freed, reads them in addition to its own footprint.
///
/// Copies share the same memory. The creator of the first must call `deallocate()`, once.
package struct MemoryPieces: BitwiseCopyable {
    private struct List {
        var base: UnsafeMutablePointer<MemoryPiece>
        var count: Int
        var capacity: Int
    }

    /// By thread.
    private let lists: UnsafeMutablePointer<List>
    /// See `longest`.
    private let most: UnsafeMutablePointer<Int>

    package init() {
        lists = .allocate(capacity: MachineState.maximumThreads)
        most = .allocate(capacity: 1)
        most.initialize(to: 0)
        for thread in 0..<MachineState.maximumThreads {
            (lists + thread).initialize(to: List(base: .allocate(capacity: 4), count: 0, capacity: 4))
        }
    }

    package func deallocate() {
        for thread in 0..<MachineState.maximumThreads { lists[thread].base.deallocate() }
        lists.deallocate()
        most.deallocate()
    }

    /// The greatest number of pieces that a step has had.
    package var longest: Int { most.pointee }

    /// The pieces of the thread's next step.
    @inline(always) package subscript(_ thread: Int) -> UnsafeBufferPointer<MemoryPiece> {
        UnsafeBufferPointer(start: lists[thread].base, count: lists[thread].count)
    }

    @inline(always) package func removeAll(of thread: Int) { lists[thread].count = 0 }

    @inline(always) package func append(_ piece: MemoryPiece, to thread: Int) {
        let list = lists + thread
        let count = list.pointee.count
        if count == list.pointee.capacity { grow(list) }
        (list.pointee.base + count).initialize(to: piece)
        list.pointee.count = count + 1
        if count >= most.pointee { most.pointee = count + 1 }
    }

    @inline(never) private func grow(_ list: UnsafeMutablePointer<List>) {
        let larger = UnsafeMutablePointer<MemoryPiece>.allocate(capacity: list.pointee.capacity * 2)
        larger.update(from: list.pointee.base, count: list.pointee.count)
        list.pointee.base.deallocate()
        list.pointee.base = larger
        list.pointee.capacity *= 2
    }
}
