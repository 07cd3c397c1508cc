import Exploration
import Glibc
import Machine
import Primitives
import Testing

@testable import Execution

/// The stacks of controlled threads, each test in a separate process: too small a stack is a crash.
@Suite struct StackTests {
    /// Uses the stack to this depth, in bytes, and returns.
    @inline(never) static func descend(_ bytes: Int, from top: UInt = 0) -> Int {
        var here = 0
        return withUnsafeMutablePointer(to: &here) { pointer in
            let place = UInt(bitPattern: pointer)
            let top = top == 0 ? place : top
            pointer.pointee = top - place > UInt(bytes) ? 1 : 1 + descend(bytes, from: top)
            return pointer.pointee
        }
    }

    /// More than a thread gets by default, and less than one gets that asks for 64 MiB.
    private static let deep = 48 << 20

    @Test func `main and others have as much as a POSIX thread by default`() async {
        await #expect(processExitsWith: .success) {
            let result = Recorded {
                #expect(StackTests.descend(7 << 20) > 1)
                try Thread { #expect(StackTests.descend(7 << 20) > 1) }.join()
            }
            #expect(result.verdict == .completed)
        }
    }

    @Test func `more is there for one that asks for it, again and again`() async {
        await #expect(processExitsWith: .success) {
            let runtime = ControlledRuntime(chooser: FirstEnabled(), rules: Rules())
            for _ in 0..<3 {
                let verdict = runtime.run {
                    for size in [16 << 20, 64 << 20, 64 << 20] {
                        try Thread(nil, ThreadAttributes(stackSize: size)) {
                            #expect(StackTests.descend(size - (1 << 20)) > 1)
                        }.join()
                    }
                }
                #expect(verdict == .completed)
            }
        }
    }

    @Test func `a runtime runs on the stacks of one before it, whose threads ended or unwound`() {
        let fibers = SpareFibers()
        var stacks: Set<UInt> = []
        for round in 0..<20 {
            let seen = Self.stacks(of: 3, fibers, isStuck: round % 2 == 1)
            #expect(seen.count == 3)
            stacks.formUnion(seen)
        }
        #expect(stacks.count <= 4, "more stacks than main and three threads need")
    }

    @Test func `a runtime runs after one whose threads were abandoned`() {
        let fibers = SpareFibers()
        for _ in 0..<3 {
            let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1), fibers: fibers)
            let verdict = runtime.run {
                let never = try Semaphore(value: 0)
                try Thread { while true { try? never.wait() } }.join()
            }
            #expect(verdict == .deadlock)
            #expect(Self.stacks(of: 3, fibers, isStuck: false).count == 3)
        }
    }

    /// The stacks of threads that run at the same time.
    ///
    /// - Parameter isStuck: whether they wait at the end, and must unwind.
    private static func stacks(of count: Int, _ fibers: SpareFibers, isStuck: Bool) -> Set<UInt> {
        let seen = Plain<Set<UInt>>([])
        let verdict = ControlledRuntime(chooser: RandomWalk(seed: 1), fibers: fibers).run {
            let gate = try Semaphore(value: 0)
            let never = try Semaphore(value: 0)
            let threads = try (0..<count).map { _ in
                try Thread {
                    var here = 0
                    seen.value.insert(withUnsafePointer(to: &here) { UInt(bitPattern: $0) & ~0xFFFFF })
                    try gate.wait()
                    if isStuck { try never.wait() }
                }
            }
            for _ in threads { try gate.signal() }
            for thread in threads { try thread.join() }
        }
        #expect(verdict == (isStuck ? .deadlock : .completed))
        return seen.value
    }

    @Test func `a runtime without the stacks of another one has its own`() {
        let fibers = SpareFibers()
        for _ in 0..<2 {
            let first = ControlledRuntime(chooser: RandomWalk(seed: 1), fibers: fibers)
            let verdict = first.run {
                let inner = ControlledRuntime(chooser: RandomWalk(seed: 1), fibers: fibers)
                #expect(inner.run { try Thread {}.join() } == .completed)
                try Thread {}.join()
            }
            #expect(verdict == .completed)
        }
    }

    @Test func `one that is too large for the machine is refused`() {
        let result = Recorded {
            let thread = try? Thread(nil, ThreadAttributes(stackSize: 1 << 52)) {}
            #expect(thread == nil)
            let other = try? Thread(nil, ThreadAttributes(stackSize: .max - 4095)) {}
            #expect(other == nil)
        }
        #expect(result.verdict == .completed)
    }

    @Test func `an overflow is a crash`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            _ = Recorded { try Thread { _ = StackTests.descend(StackTests.deep) }.join() }
        }
    }

    @Test func `below a stack there is nothing that a large frame could reach`() throws {
        var pool = FiberPool()
        var fibers: [Int32] = []
        for _ in 0..<3 { fibers.append(pool.take({}, for: .plain {}) ?? FiberPool.host) }
        #expect(Set(fibers).count == 3)
        let pipe = try Pipe()
        for fiber in fibers {
            let top = try #require(pool.context(of: fiber).pointee.stack)
            let bottom = UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: top) + 4096) & ~4095)! - (8 << 20)
            #expect(pipe.canRead(bottom))
            for distance in [1, 4096, 4097, 1 << 16, 1 << 20] { #expect(!pipe.canRead(bottom - distance)) }
        }
    }

    /// Asks the kernel, which does not crash.
    private struct Pipe {
        private var ends: [Int32] = [0, 0]

        init() throws { try #require(pipe(&ends) == 0) }

        func canRead(_ address: UnsafeRawPointer) -> Bool { write(ends[1], address, 1) == 1 }
    }

    /// The thread with the lowest number that can step.
    private final class FirstEnabled: Chooser {
        func begin() {}
        func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
            enabled[0]
        }
        func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? { 0 }
    }
}
