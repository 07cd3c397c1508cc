// swift-tools-version: 6.2
import PackageDescription

// Classes that were written for Foundation and Dispatch, and tests that run them under the lab:
//     swift test                 the system's types
//     swift test --traits Lab    every schedule that matters
let package = Package(
    name: "SharedClasses",
    traits: ["Lab"],
    dependencies: [.package(name: "threadlab", path: "../../..")],
    targets: [
        .target(
            name: "SharedClasses",
            dependencies: [.product(name: "ThreadLabTypes", package: "threadlab", condition: .when(traits: ["Lab"]))]),
        // In Swift 5 mode, as older packages are. A warning would be an error, with the system's types and with the
        // lab's.
        .target(
            name: "OlderClasses",
            dependencies: [.product(name: "ThreadLabPthread", package: "threadlab", condition: .when(traits: ["Lab"]))],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "SharedClassesTests",
            dependencies: [
                "SharedClasses", "OlderClasses",
                .product(name: "ThreadLabTypes", package: "threadlab", condition: .when(traits: ["Lab"])),
                .product(name: "ThreadLabTesting", package: "threadlab", condition: .when(traits: ["Lab"])),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
