/// Leaves the body of the calling thread from any function. Thrown by `Thread.exit`.
package struct ThreadExit: Error, Sendable {
    package let value: Int

    package init(value: Int) { self.value = value }
}
