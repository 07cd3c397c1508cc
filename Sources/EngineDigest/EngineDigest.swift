/// The sources that decide whether a search is a proof, as they were when this program was built: two programs with the same digest
/// prove the same. `Embedding` lists the folders, `embed-files` computes the digest.
package enum EngineDigest {
    /// 64 hexadecimal digits: what `sha256sum` says of its own list of these files, in the order of their paths.
    package static var word: String { engineDigest.description }

    /// The folders of the files, from the package's root, with all that is in them.
    package static var folders: [String] { engineFolders.map(\.description) }
}
