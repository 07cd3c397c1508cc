/// The calls that threads have made to an object, with the object's answers, in program order of each thread.
///
/// Where the calls come from does not matter: a closure under the scheduler, a `.lab` program, or real threads.
package struct History<Operation, Answer> {
    package struct Call {
        package var operation: Operation
        /// Nil: the call has not returned.
        package var answer: Answer?
        /// By thread: the number of its calls that were seen to return before this one was made. The entry of the
        /// call's own thread is ignored.
        package var returned: [Int]

        package init(_ operation: Operation, answer: Answer?, returned: [Int]) {
            self.operation = operation
            self.answer = answer
            self.returned = returned
        }
    }

    /// The calls by thread, in program order.
    package var calls: [[Call]]

    package init(_ calls: [[Call]]) { self.calls = calls }

    /// A call, by its thread and its number among the calls of the thread.
    package struct Place: Hashable, Sendable {
        package var thread: Int
        package var number: Int

        package init(thread: Int, number: Int) {
            self.thread = thread
            self.number = number
        }
    }

    package subscript(_ place: Place) -> Call { calls[place.thread][place.number] }

    /// All calls, thread by thread.
    package var places: [Place] {
        calls.indices.flatMap { thread in calls[thread].indices.map { Place(thread: thread, number: $0) } }
    }

    /// Whether the first call was seen to have returned before the second one was made.
    package func precedes(_ first: Place, _ second: Place) -> Bool {
        if first.thread == second.thread { return first.number < second.number }
        let returned = self[second].returned
        return returned.indices.contains(first.thread) && first.number < returned[first.thread]
    }
}
