import Testing

@testable import Trace

@Suite struct EventKindTests {
    @Test(arguments: EventKind.allCases)
    func `every kind is found again by its name`(kind: EventKind) {
        #expect(EventKind(name: kind.name) == kind)
    }
}
