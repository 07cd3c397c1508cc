// swift-tools-version: 6.2
import PackageDescription

// The package of docs/ThreadLab.docc/FirstTest.md: one test, and what it needs of threadlab.
let package = Package(
    name: "FirstTest",
    dependencies: [.package(name: "threadlab", path: "../../..")],
    targets: [
        .testTarget(
            name: "FirstTests",
            dependencies: [
                .product(name: "ThreadLab", package: "threadlab"),
                .product(name: "ThreadLabTesting", package: "threadlab"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
