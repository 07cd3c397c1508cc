/// Paths are taken apart by bytes, as the system does. A slash that a combining mark follows is one `Character` with it, and no slash to
/// `hasPrefix`, `split` and `lastIndex`: a path that they find harmless can lead elsewhere.
extension StringProtocol where UTF8View: BidirectionalCollection {
    package var isAbsolutePath: Bool { utf8.first == .slash }

    package var isPathOfFolder: Bool { utf8.last == .slash }

    package var hasSlash: Bool { utf8.contains(.slash) }

    /// What stands between its slashes, without what is empty.
    package var namesOfPath: [SubSequence] { utf8.split(separator: .slash).map { self[$0.startIndex..<$0.endIndex] } }

    package var lastNameOfPath: SubSequence? { namesOfPath.last }

    /// Up to its last slash, without it: empty for a file of the root. Nil: it has no slash.
    package var folderOfPath: String? { utf8.lastIndex(of: .slash).map { String(self[..<$0]) } }

    /// Up to its last slash, with it: it leads to the folder, also to the root. Nil: it has no slash.
    package var placeOfPath: String? { folderOfPath.map { $0 + "/" } }

    /// Without slashes at its end, unless it is the root.
    package var withoutLastSlash: String {
        let end = utf8.lastIndex { $0 != .slash }
        return end.map { String(self[...$0]) } ?? String(self.prefix(1))
    }

    /// The rest of a path below a folder, for paths that are spelled alike, without slashes at its beginning. Nil: it is not below.
    ///
    /// - Parameter folder: the root, or without a slash at its end.
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
