import CContext
import CPthread
import Glibc

/// The stacks on which threads of a controlled run execute, one for each thread. They are reused in later executions.
///
/// Fiber 0 is the OS thread's own stack, on which `run` was called. It has no memory here, and is never unused.
struct FiberPool: ~Copyable {
    static let host: Int32 = 0

    /// The default size of a stack in bytes, the same as for a POSIX thread here. Only touched pages use memory.
    static let defaultStackSize = 8 << 20

    /// The size of the inaccessible memory below each stack, which turns an overflow into a crash. Only a frame larger
    /// than this can reach past it, as with the kernel's gap below the main thread's stack. The additional page keeps
    /// the most used ends of different stacks from competing for the same TLB entries.
    private static let guardSize = (1 << 20) + 4096
    /// Bytes above the first frame of a stack. They are zero, and a stack walk reads some of them.
    private static let headroom = 128

    private struct Fiber {
        var context = context_t()
        /// The guard, and the stack above it.
        var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        /// The body to run. Nil once it has started, and for an unused fiber.
        var body: ThreadBody?
        /// For an unused fiber: the next unused one; 0 if there is none.
        var nextFree: Int32 = 0
    }

    private var fibers: UnsafeMutablePointer<Fiber>
    /// The number of fibers, fiber 0 included.
    private var count = 1
    private var capacity = 8
    /// The first unused fiber with a stack of the default size, and the first with a larger stack; 0 if there is none.
    private var firstFree: Int32 = 0
    private var firstLarge: Int32 = 0

    init() {
        fibers = .allocate(capacity: capacity)
        fibers.initialize(to: Fiber())
    }

    /// The memory for the processor's registers while the fiber does not run.
    @inline(__always) func context(of fiber: Int32) -> UnsafeMutablePointer<context_t> {
        // The context is the first field.
        UnsafeMutableRawPointer(fibers + Int(fiber)).assumingMemoryBound(to: context_t.self)
    }

    /// Takes an unused fiber. A jump to it continues at the start of `entry`, or where it parked. Returns nil if there
    /// is no memory.
    ///
    /// - Parameter stackSize: the required size of its stack in bytes. The stack has at least the default size.
    mutating func take(
        _ entry: @escaping @convention(c) () -> Void, for body: consuming ThreadBody, stackSize: Int? = nil
    ) -> Int32? {
        var fiber = firstFree
        if let stackSize, stackSize > Self.defaultStackSize {
            fiber = takeLarge(stackSize)
            if fiber == 0 { fiber = makeFiber(entry, stackSize) }
        } else if fiber != 0 {
            firstFree = fibers[Int(fiber)].nextFree
        } else {
            fiber = makeFiber(entry, Self.defaultStackSize)
        }
        guard fiber != 0 else { return nil }
        fibers[Int(fiber)].body = body
        return fiber
    }

    /// Takes an unused fiber with a large stack. Returns 0 if none has a stack of at least this size.
    private mutating func takeLarge(_ stackSize: Int) -> Int32 {
        var before: Int32 = 0
        var fiber = firstLarge
        while fiber != 0 && fibers[Int(fiber)].memory.count < stackSize + Self.guardSize {
            before = fiber
            fiber = fibers[Int(fiber)].nextFree
        }
        guard fiber != 0 else { return 0 }
        let next = fibers[Int(fiber)].nextFree
        if before == 0 { firstLarge = next } else { fibers[Int(before)].nextFree = next }
        return fiber
    }

    /// Takes the body that the fiber will run. Nil if it has already been taken.
    mutating func takeBody(of fiber: Int32) -> ThreadBody? { fibers[Int(fiber)].body.take() }

    /// Returns a fiber to the pool. Its body has ended, and it is parked or about to park.
    mutating func give(back fiber: Int32) {
        if fibers[Int(fiber)].memory.count == Self.guardSize + Self.defaultStackSize {
            fibers[Int(fiber)].nextFree = firstFree
            firstFree = fiber
        } else {
            fibers[Int(fiber)].nextFree = firstLarge
            firstLarge = fiber
        }
    }

    /// Returns an abandoned fiber to the pool: the next body runs on it from the start of `entry`. What its stack
    /// refers to is leaked.
    mutating func restart(_ fiber: Int32, _ entry: @escaping @convention(c) () -> Void) {
        let memory = fibers[Int(fiber)].memory
        let top = memory.baseAddress! + memory.count - Self.headroom
        context_make(context(of: fiber), top, memory.count - Self.guardSize - Self.headroom, entry)
        give(back: fiber)
    }

    deinit {
        for fiber in 1..<count { munmap(fibers[fiber].memory.baseAddress, fibers[fiber].memory.count) }
        fibers.deinitialize(count: count)
        fibers.deallocate()
    }

    /// Makes a fiber. Returns 0 if there is no memory.
    private mutating func makeFiber(_ entry: @escaping @convention(c) () -> Void, _ stackSize: Int) -> Int32 {
        let (size, isTooMuch) = stackSize.addingReportingOverflow(Self.guardSize)
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK
        guard !isTooMuch, let base = mmap(nil, size, PROT_NONE, Int32(flags), -1, 0), base != MAP_FAILED else {
            return 0
        }
        guard mprotect(base + Self.guardSize, stackSize, PROT_READ | PROT_WRITE) == 0 else {
            munmap(base, size)
            return 0
        }
        // Only a few bytes of most stacks are used, so huge pages would waste memory.
        madvise(base, size, MADV_NOHUGEPAGE)
        if count == capacity { grow() }
        (fibers + count).initialize(to: Fiber(memory: UnsafeMutableRawBufferPointer(start: base, count: size)))
        context_make(context(of: Int32(count)), base + size - Self.headroom, stackSize - Self.headroom, entry)
        count += 1
        return Int32(count - 1)
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Fiber>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: fibers, count: count)
        fibers.deallocate()
        fibers = larger
        capacity *= 2
    }
}

/// Keeps the stacks of a runtime that no longer exists for the next one.
///
/// Mapping, protecting and clearing a stack for each thread takes a third of the time of a short execution. A runtime
/// that runs several executions keeps its stacks itself; this is for executions that need a runtime each. It is not
/// thread-safe.
package final class SpareFibers {
    private var pool: FiberPool?

    package init() {}

    func take() -> FiberPool { pool.take() ?? FiberPool() }

    func keep(_ pool: consuming FiberPool) { self.pool = consume pool }
}
