import Testing

@testable import SharedClasses

/// What any test does: it runs on whatever types the package was built with, and sees one schedule.
@Suite("Plain") struct PlainTests {
    @Test("a value is kept") func cache() {
        let cache = ExpiringCache<String, Int>(lifetime: 60)
        #expect(cache.value(for: "a") { _ in 1 } == 1)
        #expect(cache.value(for: "a") { _ in 2 } == 1)
    }

    @Test("a connection comes back") func pool() {
        let pool = ConnectionPool([7])
        pool.give(back: pool.take())
        #expect(pool.take() == 7)
    }

    @Test("every thumbnail is made") func thumbnails() {
        let maker = ThumbnailMaker(notesInOperation: true)
        maker.add(["a", "b"]) { "\($0), small" }
        #expect(maker.all().sorted() == ["a, small", "b, small"])
    }

    @Test("every handler is called") func bus() {
        let bus = EventBus<Int>("bus")
        nonisolated(unsafe) var sum = 0
        for _ in 1...3 { bus.subscribe { sum += $0 } }
        bus.publish(2)
        #expect(sum == 6)
    }
}
