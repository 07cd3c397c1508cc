import CContext
import CPthread
import Glibc

/// Stacks that code runs on, one thread of the scenario each, used again from one execution to the next.
///
/// Fiber 0 is not in the pool: it is the OS thread's own stack, on which `run` was called.
struct FiberPool {
    static let host: Int32 = 0

    /// Enough for ordinary Swift code, printing included. Touched pages only cost memory; the lowest page is a guard.
    static let defaultStackSize = 256 * 1024

    private struct Fiber {
        var context = context_t()
        var stack: UnsafeMutableRawPointer?
        /// What it will run. Nil from when it has begun.
        var body: ThreadBody?
        /// Of one that nobody uses: the next such. 0: there is none.
        var nextFree: Int32 = 0
    }

    private var fibers: UnsafeMutablePointer<Fiber>
    private var count = 1
    private var capacity = 8
    private var firstFree: Int32 = 0

    init() {
        fibers = .allocate(capacity: capacity)
        fibers.initialize(to: Fiber())
    }

    /// Where the fiber's context is kept while it does not run.
    @inline(__always) func context(of fiber: Int32) -> UnsafeMutablePointer<context_t> {
        // It is the first field.
        UnsafeMutableRawPointer(fibers + Int(fiber)).assumingMemoryBound(to: context_t.self)
    }

    /// A fiber that nobody uses, ready to be jumped to: at the start of `entry`, or where it parked. Nil: no memory.
    mutating func take(_ entry: @escaping @convention(c) () -> Void, for body: consuming ThreadBody) -> Int32? {
        let fiber = firstFree != 0 ? firstFree : makeFiber(entry)
        guard fiber != 0 else { return nil }
        firstFree = fibers[Int(fiber)].nextFree
        fibers[Int(fiber)].body = body
        return fiber
    }

    /// What the fiber is to run, if it has not begun.
    mutating func takeBody(of fiber: Int32) -> ThreadBody? { fibers[Int(fiber)].body.take() }

    /// Gives back a fiber whose body has ended and that is parked.
    mutating func give(back fiber: Int32) {
        fibers[Int(fiber)].nextFree = firstFree
        firstFree = fiber
    }

    func deallocate() {
        for fiber in 1..<max(1, count) { munmap(fibers[fiber].stack, Self.defaultStackSize) }
        fibers.deinitialize(count: count)
        fibers.deallocate()
    }

    /// 0: no memory.
    private mutating func makeFiber(_ entry: @escaping @convention(c) () -> Void) -> Int32 {
        let size = Self.defaultStackSize
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK
        guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, Int32(flags), -1, 0), base != MAP_FAILED else {
            return 0
        }
        mprotect(base, 4096, PROT_NONE)
        if count == capacity { grow() }
        (fibers + count).initialize(to: Fiber(stack: base))
        context_make(context(of: Int32(count)), base + size, size, entry)
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
