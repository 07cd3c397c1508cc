/// A `.lab` program that is part of the tool.
package struct LibraryProgram: Sendable {
    static let suffix = ".lab"

    /// With its chapter: `basics/lost-update`.
    package let path: String
    private let staticText: StaticString

    init(path: String, text: StaticString) {
        self.path = path
        staticText = text
    }

    /// Unique in the library: `lost-update`.
    package var name: String { String(path.split(separator: "/").last ?? "") }
    package var text: String { staticText.description }
}
