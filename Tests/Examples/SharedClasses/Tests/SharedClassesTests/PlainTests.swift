import Testing

@testable import SharedClasses

/// What any test does: it runs on whatever types the package was built with, and sees one schedule.
@Suite struct PlainTests {
    @Test func `a value is kept`() {
        let cache = ExpiringCache<String, Int>(lifetime: 60)
        #expect(cache.value(for: "a") { _ in 1 } == 1)
        #expect(cache.value(for: "a") { _ in 2 } == 1)
    }

    @Test func `a connection comes back`() {
        let pool = ConnectionPool([7])
        pool.give(back: pool.take())
        #expect(pool.take() == 7)
    }

    @Test func `every thumbnail is made`() {
        let maker = ThumbnailMaker(notesInOperation: true)
        maker.add(["a", "b"]) { "\($0), small" }
        #expect(maker.all().sorted() == ["a, small", "b, small"])
    }

    @Test func `every handler is called`() {
        let bus = EventBus<Int>("bus")
        nonisolated(unsafe) var sum = 0
        for _ in 1...3 { bus.subscribe { sum += $0 } }
        bus.publish(2)
        #expect(sum == 6)
    }
}
