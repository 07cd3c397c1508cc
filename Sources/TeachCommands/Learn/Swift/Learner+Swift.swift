import Console
import Course
import Text

/// Exercises in Swift: how they are built, and the package in the learner's folder.
extension Learner {
    /// The bench that builds and tests an exercise. Nil: the exercise is not in Swift. Throws if it is, and the user
    /// has not allowed that.
    func bench(for exercise: Exercise) throws(Complaint) -> PackageBench? {
        guard exercise.kind == .swift else { return nil }
        guard let bench = try swift.bench() else {
            throw Complaint(
                "\(exercise.name) is in Swift, and would be built and run with your rights: "
                    + "'\(checkCommand(of: exercise))' does that")
        }
        return bench
    }

    /// The command that judges the exercise, if it is the present one, as the user types it. For another exercise, its
    /// name must follow.
    func checkCommand(of exercise: Exercise) -> String {
        command(exercise.kind == .swift ? "check \(swift.options.swift.spelling)" : "check")
    }

    /// The `Package.swift` for the learner's folder, so that editors understand the exercises in Swift, and `swift
    /// test` tests them without `learn check`. Nil: no exercise is in Swift.
    func manifest() throws(Complaint) -> String? {
        let parts = course.lessons.enumerated().flatMap { index, lesson in
            lesson.exercises.filter { $0.kind == .swift }.map { exercise in
                SwiftPackageText.Part(
                    exercise, folder: "\(Self.folderName(lesson, index + 1))/\(exercise.name)")
            }
        }
        guard !parts.isEmpty else { return nil }
        let sources = try swift.checkout.map { path throws(Complaint) in try Checkout(path) } ?? Checkout.own
        return SwiftPackageText(parts, checkout: sources?.path ?? "../threadlab").manifest
    }
}
