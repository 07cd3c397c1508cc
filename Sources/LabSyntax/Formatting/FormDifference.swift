/// The first line of a file that differs from its canonical form.
package struct FormDifference: Equatable, Sendable {
    /// Counted from 1.
    package let line: Int
    /// The actual line. Nil: the file has no such line.
    package let present: String?
    /// The canonical line. Nil: none.
    package let canonical: String?

    /// Nil: they are the same.
    package init?(between bytes: [UInt8], and canonicalForm: String) {
        func lines(_ bytes: some Collection<UInt8>) -> [String] {
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        guard !bytes.elementsEqual(canonicalForm.utf8) else { return nil }
        let (present, canonical) = (lines(bytes), lines(canonicalForm.utf8))
        let same = zip(present, canonical).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        line = same + 1
        self.present = same < present.count ? present[same] : nil
        self.canonical = same < canonical.count ? canonical[same] : nil
    }
}
