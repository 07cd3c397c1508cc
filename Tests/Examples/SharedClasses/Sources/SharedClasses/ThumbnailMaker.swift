import Foundation

/// Makes thumbnails of images, several at the same time.
public final class ThumbnailMaker: @unchecked Sendable {
    private let queue = OperationQueue()
    private let lock = NSLock()
    private var made: [String] = []
    private let notesInOperation: Bool

    /// - Parameter notesInOperation: without it the class has its bug.
    public init(notesInOperation: Bool = false) { self.notesInOperation = notesInOperation }

    /// Begins to make a thumbnail of each image.
    public func add(_ images: [String], make: @escaping @Sendable (String) -> String) {
        queue.addOperations(images.map { operation($0, make) }, waitUntilFinished: false)
    }

    /// Waits until all thumbnails have been made, and returns them.
    public func all() -> [String] {
        queue.waitUntilAllOperationsAreFinished()
        return lock.withLock { made }
    }

    /// The bug: the completion block notes the thumbnail, and runs when its operation has finished already: nobody waits
    /// for it.
    private func operation(_ image: String, _ make: @escaping @Sendable (String) -> String) -> Operation {
        if notesInOperation { return BlockOperation { self.note(make(image)) } }
        let result = Result()
        let operation = BlockOperation { result.value = make(image) }
        operation.completionBlock = { self.note(result.value) }
        return operation
    }

    private func note(_ thumbnail: String) { lock.withLock { made.append(thumbnail) } }

    /// Written by the operation, read after its end.
    private final class Result: @unchecked Sendable {
        var value = ""
    }
}
