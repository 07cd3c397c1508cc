/// A runtime's handle on an object or a thread.
package struct RuntimeObject: @unchecked Sendable {
    /// The identity that events carry: an object's number, or a thread's.
    package let id: UInt32
    /// The native runtime's own memory for it. When controlled, the machine holds the state, and this identifies the
    /// execution.
    package let storage: UnsafeMutableRawPointer?

    package init(id: UInt32, storage: UnsafeMutableRawPointer? = nil) {
        self.id = id
        self.storage = storage
    }

    /// For operations that concern no object.
    package static let none = RuntimeObject(id: 0)
}
