import Course
import Text

/// Exercises in Swift: what builds them, and the package in the learner's folder.
extension Learner {
    /// What builds and tests exercises in Swift.
    func bench() throws(Complaint) -> PackageBench {
        if let checkout, var folder {
            let path = try Checkout(checkout).path
            try folder.note { $0.checkout = path }
        }
        guard let path = checkout ?? folder?.progress.checkout else {
            guard let own = Checkout.own else {
                throw Complaint(
                    "exercises in Swift are built with threadlab's sources: name their folder once, as in '\(command("check --checkout ~/threadlab"))'"
                )
            }
            return try PackageBench(own)
        }
        return try PackageBench(Checkout(path))
    }

    /// The manifest with which an editor understands the exercises, and `swift test` tests them without threadlab's judge.
    /// Nil: no exercise is in Swift.
    func manifest() throws(Complaint) -> String? {
        let parts = course.lessons.enumerated().flatMap { index, lesson in
            lesson.exercises.filter { $0.kind == .swift }.map { exercise in
                SwiftPackageText.Part(
                    exercise, folder: "\(Self.folderName(lesson, index + 1))/\(exercise.name)")
            }
        }
        guard !parts.isEmpty else { return nil }
        let sources = try checkout.map { path throws(Complaint) in try Checkout(path) } ?? Checkout.own
        return SwiftPackageText(parts, checkout: sources?.path ?? "../threadlab").manifest
    }
}
