/// The package of exercises in Swift: each has a module with the learner's file, and tests of it.
package struct SwiftPackageText {
    package struct Part {
        package let exercise: Exercise
        /// Its folder, from the package's.
        package let folder: String

        package init(_ exercise: Exercise, folder: String) {
            self.exercise = exercise
            self.folder = folder
        }

        /// The files of the learner and of the tests, from the package's folder.
        package var files: (submission: String, tests: String) {
            ("\(folder)/Sources/\(exercise.submission)", "\(folder)/Tests/\(SwiftPackageText.testFile)")
        }
    }

    /// The name of the file with the tests of an exercise, in a course and in a package.
    package static let testFile = "tests.swift"

    private let parts: [Part]
    private let checkout: String

    /// - Parameter checkout: the folder of threadlab's sources, as the package sees it.
    package init(_ parts: [Part], checkout: String) {
        self.parts = parts
        self.checkout = checkout
    }

    /// `Package.swift`
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
    /// Of an exercise in Swift, the module that its tests import: `add-a-lock` → `AddALock`.
    package var module: String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
