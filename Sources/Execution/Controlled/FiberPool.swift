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

    private(set) var contexts: UnsafeMutablePointer<fcontext_t?>
    private var stacks: [UnsafeMutableRawPointer] = []
    private var free: [Int32] = []
    private var capacity: Int

    init() {
        capacity = 8
        contexts = .allocate(capacity: capacity)
        contexts.initialize(repeating: nil, count: capacity)
    }

    /// A fiber that nobody uses, ready to be jumped to: at the start of `entry`, or where it parked. Nil: no memory.
    mutating func take(_ entry: @escaping @convention(c) (transfer_t) -> Void) -> Int32? {
        if let fiber = free.popLast() { return fiber }
        let size = Self.defaultStackSize
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK
        guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, Int32(flags), -1, 0), base != MAP_FAILED else {
            return nil
        }
        mprotect(base, 4096, PROT_NONE)
        stacks.append(base)
        let fiber = stacks.count
        if fiber >= capacity { grow() }
        contexts[fiber] = make_fcontext(base + size, size, entry)
        return Int32(fiber)
    }

    /// Gives back a fiber whose body has ended and that is parked.
    mutating func give(back fiber: Int32) { free.append(fiber) }

    func deallocate() {
        for stack in stacks { munmap(stack, Self.defaultStackSize) }
        contexts.deallocate()
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<fcontext_t?>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: contexts, count: capacity)
        (larger + capacity).initialize(repeating: nil, count: capacity)
        contexts.deallocate()
        contexts = larger
        capacity *= 2
    }
}
