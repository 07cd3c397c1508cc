import Authoring
import Testing
import ThreadLabTesting
import ThreadLabTypes

/// Atomics that hold references to objects, as those of the package swift-atomics do.
@Suite struct AtomicReferenceTests {
    private final class Node: Lab.AtomicReference, @unchecked Sendable {
        let value: Int
        var next: Node?

        init(_ value: Int) { self.value = value }
    }

    /// Treiber's stack (1986), with a mistake if that is asked for.
    private final class Stack: @unchecked Sendable {
        private let head = Lab.ManagedAtomic<Node?>(nil)
        private let isBroken: Bool

        init(isBroken: Bool = false) { self.isBroken = isBroken }

        func push(_ value: Int) {
            let node = Node(value)
            node.next = head.load(ordering: .acquiring)
            if isBroken { return head.store(node, ordering: .releasing) }
            while true {
                let (exchanged, original) = head.compareExchange(
                    expected: node.next, desired: node, ordering: .acquiringAndReleasing)
                if exchanged { return }
                node.next = original
            }
        }

        func pop() -> Int? {
            while let node = head.load(ordering: .acquiring) {
                if head.compareExchange(expected: node, desired: node.next, ordering: .acquiringAndReleasing).exchanged
                {
                    return node.value
                }
            }
            return nil
        }
    }

    private static func keepsBoth(isBroken: Bool = false) throws {
        let stack = Stack(isBroken: isBroken)
        try concurrently {
            stack.push(1)
        } and: {
            stack.push(2)
        }
        try check(Set([stack.pop(), stack.pop()]) == [1, 2] && stack.pop() == nil)
    }

    @Test func `a stack without locks is proved`() throws {
        let result = try explore(.exhaustive, time: .seconds(600)) { try Self.keepsBoth() }
        #expect(result.triedEveryOrder)
        try run { try Self.keepsBoth() }
    }

    @Test func `a stack that stores its head instead loses an element`() throws {
        let result = try explore(time: .seconds(600), expecting: .assertion) { try Self.keepsBoth(isBroken: true) }
        #expect(!result.findings.isEmpty)
    }

    private static func makeStack() -> Stack { Stack() }

    @Test func `a stack without locks is linearizable`() throws {
        let result = try exploreOperations(
            of: Self.makeStack, model: [Int](), threads: 2, each: 2, time: .seconds(600)
        ) {
            $0.operation("push", 1...1) {
                $0.push($1)
            } model: {
                $0.append($1)
            }
            $0.operation("pop") {
                $0.pop()
            } model: {
                $0.popLast()
            }
        }
        #expect(result.triedEverything)
    }

    private static func comparesIdentities() throws {
        let (first, second) = (Node(1), Node(1))
        let reference = Lab.ManagedAtomic(first)
        try check(reference.load(ordering: .relaxed) === first)
        let (exchanged, original) = reference.compareExchange(expected: second, desired: second, ordering: .relaxed)
        try check(!exchanged && original === first)
        try check(reference.exchange(second, ordering: .relaxed) === first)
        reference.store(first, ordering: .releasing)
        let memory = Lab.UnsafeAtomic<Node?>.create(nil)
        try check(memory.exchange(second, ordering: .relaxed) == nil)
        try check(memory.destroy() === second)
        let lazy = Lab.UnsafeAtomicLazyReference<Node>.create()
        try check(lazy.load() == nil && lazy.storeIfNilThenLoad(first) === first)
        try check(lazy.storeIfNilThenLoad(second) === first && lazy.destroy() === first)
    }

    @Test func `references are compared by identity, under the scheduler, on real threads and outside a run`() throws {
        try explore { try Self.comparesIdentities() }
        try run { try Self.comparesIdentities() }
        try Self.comparesIdentities()
    }

    /// Its `deinit` uses atomics when the run has forgotten their objects.
    private final class Owner: @unchecked Sendable {
        private let some = Lab.ManagedAtomic(Node(1))
        private let none = Lab.ManagedAtomic<Node?>(nil)

        deinit {
            some.store(some.load(ordering: .relaxed), ordering: .relaxed)
            _ = some.exchange(Node(2), ordering: .relaxed)
            none.store(none.exchange(Node(3), ordering: .relaxed), ordering: .relaxed)
            _ = some.load(ordering: .relaxed).value
            _ = none.load(ordering: .relaxed)?.value
        }
    }

    @Test func `a deinit that comes after its run can use them`() throws {
        var owners: [Owner] = []
        try explore(.random(executions: 5), time: .seconds(600)) { owners.append(Owner()) }
        try run { owners.append(Owner()) }
        #expect(owners.count > 5)
        owners = []
    }

    private final class Other: Lab.AtomicReference, @unchecked Sendable {
        let text = "other"
    }

    @Test func `a deinit in a later execution does not take that one's objects for its own`() throws {
        var owners: [Owner] = []
        try explore(.random(executions: 5), time: .seconds(600)) {
            let own = (1...4).map { _ in Lab.ManagedAtomic(Other()) }
            owners = [Owner()]
            try check(own.allSatisfy { $0.load(ordering: .relaxed).text == "other" })
        }
        #expect(owners.count == 1)
    }

    @Test func `an object that outlives its atomics is counted once`() throws {
        weak var last: Node?
        try explore(.random(executions: 5), time: .seconds(600)) {
            let node = Node(1)
            node.next = node
            last = node
            let reference = Lab.ManagedAtomic<Node?>(node)
            reference.store(nil, ordering: .relaxed)
            node.next = nil
        }
        #expect(last == nil)
    }
}
