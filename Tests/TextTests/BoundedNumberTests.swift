import Testing
import Text

@Suite struct BoundedNumberTests {
    @Test func `a sum beyond the type is the number at its end`() {
        #expect(Int.max.added(saturating: 1) == .max && Int.min.added(saturating: -1) == .min)
        #expect(UInt64.max.added(saturating: .max) == .max && 2.added(saturating: 3) == 5)
    }

    @Test func `a product beyond the type is the number at its end`() {
        #expect(Int.max.multiplied(saturating: 2) == .max && Int.max.multiplied(saturating: -2) == .min)
        #expect(Int.min.multiplied(saturating: -1) == .max && UInt64.max.multiplied(saturating: 0) == 0)
    }
}
