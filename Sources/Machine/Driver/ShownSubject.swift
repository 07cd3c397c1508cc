import Trace

/// A subject whose states can be shown to people: it knows the names that its program uses.
///
/// A thread has two numbers. The program's number is the same in all executions; the main thread has 0. The machine's
/// number depends on the order in which threads are started. Parameters are the machine's numbers.
package protocol ShownSubject: StatefulSubject {
    /// The names of all threads that the program can start, by the program's numbers.
    var threadNames: [String] { get }

    /// The objects, by the machine's numbers. Number 0 stands for none.
    var shownObjects: [TraceDocument.Object?] { get }

    // MARK: - In the present state

    /// The program's number of a thread, which must exist in the machine.
    func programNumber(of thread: Int) -> Int

    /// The source line of the thread's next step. 0: the step belongs to no line.
    func line(of thread: Int) -> Int

    /// The thread's next step in a few words, without names of threads and lines. For steps that no event describes.
    func stepInWords(of thread: Int) -> String

    /// The variables of the function that the thread is in, with the values that its code can still read.
    func variables(of thread: Int) -> [ShownVariable]

    /// The value of memory, or the number of permits. Nil: the object has neither.
    func valueInWords(of object: Int) -> String?

    /// What the program has reported, if that ended the execution, and its line. Nil: it has reported nothing.
    var failure: (message: String, line: Int)? { get }

    /// The texts of those states in which some run must end (`expect sometimes`) that this execution, now ended, has
    /// reached.
    var seenStates: Set<String> { get }
}

/// A thread's variable and its value, in words.
package struct ShownVariable: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
