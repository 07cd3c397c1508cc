/// A thread of the run: an index into the trace's `threads`, in the order of creation. The main thread is number 0.
package struct ThreadID: Hashable, Comparable, Sendable {
    package let index: UInt16

    package init(_ index: Int) { self.index = UInt16(index) }

    package static let main = ThreadID(0)

    package static func == (a: Self, b: Self) -> Bool { a.index == b.index }
    package static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}

/// A synchronization object of the run: an index into the trace's `objects`, in the order of creation, from 1.
package struct ObjectID: Hashable, Comparable, Sendable {
    package let index: UInt32

    package init(_ index: Int) { self.index = UInt32(index) }

    /// For events that concern no object.
    package static let none = ObjectID(0)

    package static func == (a: Self, b: Self) -> Bool { a.index == b.index }
    package static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}

/// The words of a remark: an index into the trace's `remarks`, in the order of first use, from 1.
package struct RemarkID: Hashable, Sendable {
    package let index: UInt16

    package init(_ index: Int) { self.index = UInt16(index) }

    /// For events that are no remarks, and remarks without words.
    package static let none = RemarkID(0)

    package static func == (a: Self, b: Self) -> Bool { a.index == b.index }
}

/// A place in the scenario's source: an index into the trace's `sites`.
package struct SiteID: Hashable, Sendable {
    package let index: UInt32

    package init(_ index: Int) { self.index = UInt32(index) }

    package static let unknown = SiteID(0)

    package static func == (a: Self, b: Self) -> Bool { a.index == b.index }
}
