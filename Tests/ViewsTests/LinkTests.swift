import Support
import Testing
import Trace

@testable import Views

@Suite struct `Links between threads` {
    private func links(_ script: String) -> [Link] { LinkFinder.links(in: Script.trace(script)) }

    @Test func `lead from a release to the next thread that takes the lock`() {
        let links = links(
            "main mutex.acquire m\nmain mutex.release m\nmain mutex.acquire m\nmain mutex.release m\nw mutex.acquire m")
        #expect(links == [Link(kind: .lock, from: 3, to: 4)])
    }

    @Test func `lead from a wait's release of its mutex, and from the signal`() {
        let links = links(
            """
            w     mutex.acquire m
            w     condition.wait c m
            main  mutex.acquire m
            main  condition.signal c
            main  mutex.release m
            w     condition.wake c m
            """)
        #expect(
            links == [
                Link(kind: .lock, from: 1, to: 2), Link(kind: .signal, from: 3, to: 5),
                Link(kind: .lock, from: 4, to: 5),
            ])
    }

    @Test func `give each signal to one waiter, and a broadcast to all`() {
        let waits = "a condition.wait c m\nb condition.wait c m\n"
        let wakes = "\na condition.wake c m\nb condition.wake c m"
        let signals = links(waits + "main condition.signal c\nmain condition.signal c" + wakes)
        #expect(signals.filter { $0.kind == .signal }.map(\.from) == [2, 3])
        let broadcast = links(waits + "main condition.broadcast c" + wakes)
        #expect(broadcast.filter { $0.kind == .signal }.map(\.from) == [2, 2])
    }

    @Test func `join creation to start, and end to join`() {
        let links = links("main thread.create w\nw thread.start\nw thread.exit\nmain thread.join w")
        #expect(links == [Link(kind: .start, from: 0, to: 1), Link(kind: .join, from: 2, to: 3)])
    }

    @Test func `lead from the last reader to the writer, and from a permit to its waiter`() {
        let lock = links(
            "a rwlock.read-acquire l\nb rwlock.read-acquire l\na rwlock.read-release l\nb rwlock.read-release l\nc rwlock.write-acquire l"
        )
        #expect(lock == [Link(kind: .lock, from: 3, to: 4)])
        let permit = links(
            "main semaphore.signal s\na semaphore.wait s\nmain semaphore.signal s\na semaphore.acquire s")
        #expect(permit == [Link(kind: .permit, from: 2, to: 3)])
    }
}
