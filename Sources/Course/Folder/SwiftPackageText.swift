/// The manifest of a Swift package with exercises of the kind `swift`. For each exercise it has a module with the
/// learner's file, and tests of it.
package struct SwiftPackageText {
    /// An exercise in the package.
    package struct Part {
        package let exercise: Exercise
        /// The folder of the exercise, relative to the package's.
        package let folder: String

        package init(_ exercise: Exercise, folder: String) {
            self.exercise = exercise
            self.folder = folder
        }

        /// The files of the learner and of the tests, relative to the package's folder.
        package var files: (submission: String, tests: String) {
            ("\(folder)/Sources/\(exercise.submission)", "\(folder)/Tests/\(SwiftPackageText.testFile)")
        }
    }

    /// The name of the file with an exercise's tests, both in a course and in a package.
    package static let testFile = "tests.swift"

    private let parts: [Part]
    private let checkout: String

    /// - Parameter checkout: the folder of threadlab's sources, relative to the package or absolute.
    package init(_ parts: [Part], checkout: String) {
        self.parts = parts
        self.checkout = checkout
    }

    /// The text of `Package.swift`.
    package var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "exercises",
            platforms: [.macOS(.v15)],
            dependencies: [.package(name: "threadlab", path: \(String(reflecting: checkout)))],
            targets: [
        \(parts.map(targets).joined(separator: "\n"))
            ],
            swiftLanguageModes: [.v6]
        )

        """
    }

    private func targets(_ part: Part) -> String {
        """
                .target(
                    name: "\(part.exercise.module)", dependencies: [.product(name: "ThreadLab", package: "threadlab")],
                    path: "\(part.folder)/Sources"),
                .testTarget(
                    name: "\(part.exercise.module)Tests",
                    dependencies: [
                        "\(part.exercise.module)", .product(name: "ThreadLab", package: "threadlab"),
                        .product(name: "ThreadLabTesting", package: "threadlab"),
                    ], path: "\(part.folder)/Tests"),
        """
    }
}

extension Exercise {
    /// The module that the tests of a Swift exercise import: `add-a-lock` → `AddALock`.
    package var module: String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
