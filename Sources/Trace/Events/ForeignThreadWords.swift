/// What is said about a thread that used an object of a run that it does not belong to.
package enum ForeignThreadWords {
    /// - Parameter object: the object's name.
    package static func sentence(_ object: String) -> String {
        "A thread that does not belong to the run used \(object)"
    }

    /// - Parameters:
    ///   - operation: what the thread was about to do, as operations of the machine are named.
    ///   - place: ` at FILE:LINE`, or empty.
    package static func story(_ operation: String, _ place: String) -> String {
        "This happened\(place), by '\(operation)': the lab has not started that thread, and can neither hold it back nor "
            + "know what it waits for."
    }

    /// What to use instead.
    package static let advice = """
        Start threads by the lab: by 'Thread', or by 'Lab.Thread', 'Lab.DispatchQueue' or 'Lab.OperationQueue'. \
        Foundation's 'Thread', Dispatch, 'Task', 'pthread_create' and the callbacks of libraries have threads of their own.
        """
}
