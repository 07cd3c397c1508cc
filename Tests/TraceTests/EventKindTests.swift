import Testing

@testable import Trace

@Suite struct EventKindTests {
    @Test("every kind is found again by its name", arguments: EventKind.allCases)
    func nameIsUnique(kind: EventKind) {
        #expect(EventKind(name: kind.name) == kind)
    }
}
