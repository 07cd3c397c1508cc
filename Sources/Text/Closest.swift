/// Returns the known word that the user most likely meant; nil if none is close.
///
/// A known word is close if its edit distance from the written one is at most a third of the longer one's length, or if
/// the written word is its beginning and has at least two letters, which counts as one mistake. Of equally close words,
/// the first one wins. Capital letters and leading dashes make no difference.
package func closest(to word: String, among known: [String]) -> String? {
    let written = bareLetters(word)
    guard !written.isEmpty else { return nil }
    var best: (word: String, mistakes: Int)?
    for candidate in known {
        let letters = bareLetters(candidate)
        let tolerated = max(written.count, letters.count) / 3
        var mistakes = Int.max
        // Words of too different lengths are not compared: their distance is too great in any case, and the comparison
        // takes time proportional to the product of the lengths.
        if abs(written.count - letters.count) <= tolerated {
            let edits = editDistance(written, letters)
            if edits <= tolerated { mistakes = edits }
        }
        if written.count > 1, letters.starts(with: written) { mistakes = min(mistakes, 1) }
        if mistakes < best?.mistakes ?? Int.max { best = (candidate, mistakes) }
    }
    return best?.word
}

/// The letters that count: in lower case, without leading dashes.
private func bareLetters(_ word: String) -> [Character] { Array(word.lowercased().drop { $0 == "-" }) }

/// The edit distance of Damerau and Levenshtein, in the variant that edits no letter twice. It counts insertions,
/// deletions, substitutions and swaps of neighbors.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var least = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforePrevious[j - 1] + 1) }
            row.append(least)
        }
        (beforePrevious, previous) = (previous, row)
    }
    return previous[b.count]
}
