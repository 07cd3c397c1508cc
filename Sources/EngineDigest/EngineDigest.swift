/// A digest of the sources that decide whether a search is a proof, as they were when this program was built. Two
/// builds with the same digest prove the same, so a saved proof of one is valid for the other (`ProofCache`).
/// `Embedding` lists the folders of these sources, and `embed-files` computes the digest.
package enum EngineDigest {
    /// 64 hexadecimal digits: the digest of the list that `sha256sum` prints for these files, in the order of their
    /// paths.
    package static var word: String { engineDigest.description }

    /// The folders that contain these sources and no other files, as paths from the package's root.
    package static var folders: [String] { engineFolders.map(\.description) }
}
