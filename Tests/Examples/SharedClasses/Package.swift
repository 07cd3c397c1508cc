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
        .testTarget(
            name: "SharedClassesTests",
            dependencies: [
                "SharedClasses",
                .product(name: "ThreadLabTypes", package: "threadlab", condition: .when(traits: ["Lab"])),
                .product(name: "ThreadLabTesting", package: "threadlab", condition: .when(traits: ["Lab"])),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
