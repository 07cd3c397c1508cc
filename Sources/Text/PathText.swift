/// Splits paths by bytes, as the system does. In Swift, a slash and a combining mark after it are one `Character`,
/// which `hasPrefix`, `split` and `lastIndex` do not recognize as a slash: a path that passes such a check could lead
/// elsewhere.
extension StringProtocol where UTF8View: BidirectionalCollection {
    /// Whether the path begins with a slash.
    package var isAbsolutePath: Bool { utf8.first == .slash }

    /// Whether the path ends with a slash.
    package var isPathOfFolder: Bool { utf8.last == .slash }

    package var hasSlash: Bool { utf8.contains(.slash) }

    /// The names between the slashes, without empty ones.
    package var namesOfPath: [SubSequence] { utf8.split(separator: .slash).map { self[$0.startIndex..<$0.endIndex] } }

    package var lastNameOfPath: SubSequence? { namesOfPath.last }

    /// The path up to its last slash, without it: empty for a file in the root. Nil if the path has no slash.
    package var folderOfPath: String? { utf8.lastIndex(of: .slash).map { String(self[..<$0]) } }

    /// The path up to its last slash, with it, so that the root is kept too. Nil if the path has no slash.
    package var placeOfPath: String? { folderOfPath.map { $0 + "/" } }

    /// The path without slashes at its end, unless it is the root.
    package var withoutLastSlash: String {
        let end = utf8.lastIndex { $0 != .slash }
        return end.map { String(self[...$0]) } ?? String(self.prefix(1))
    }

    /// Returns the rest of the path below a folder, without slashes at its beginning; nil if the path is not below it.
    /// The texts are compared as they are: `./a/b` is not below `a`.
    ///
    /// - Parameter folder: a path, with or without a slash at its end.
    package func path<Folder: StringProtocol>(below folder: Folder) -> SubSequence?
    where Folder.UTF8View: BidirectionalCollection {
        let start = folder.isPathOfFolder ? String(folder) : folder + "/"
        guard utf8.starts(with: start.utf8) else { return nil }
        let rest = utf8.dropFirst(start.utf8.count).drop { $0 == .slash }
        return self[rest.startIndex...]
    }
}

extension UInt8 {
    fileprivate static let slash = UInt8(ascii: "/")
}
