/// The difference of two texts in unified format, which `patch` reads.
package struct UnifiedDiff {
    /// Two header lines and the hunks; empty if the texts have the same lines.
    package let lines: [String]

    /// The number of unchanged lines before and after each change.
    private static let context = 2

    /// - Parameter name: the file's name, for both texts.
    package init(from old: String, to new: String, name: String) {
        let diffLines = Self.diffLines(Self.split(old), Self.split(new))
        let changed = diffLines.indices.filter { diffLines[$0].sign != " " }
        var output = ["--- \(name)", "+++ \(name)"]
        var place = changed.startIndex
        while place < changed.endIndex {
            var last = place
            // Changes whose contexts touch or overlap share a hunk.
            while last + 1 < changed.endIndex, changed[last + 1] - changed[last] <= 2 * Self.context + 1 { last += 1 }
            let range = max(0, changed[place] - Self.context)..<min(diffLines.count, changed[last] + Self.context + 1)
            output.append(Self.header(diffLines, range))
            output += diffLines[range].map { "\($0.sign)\($0.text)" }
            place = last + 1
        }
        lines = changed.isEmpty ? [] : output
    }

    /// A line with its sign: `-` if only the old text has it, `+` if only the new one has it, a space if both have it.
    private struct DiffLine {
        let sign: Character
        let text: String
    }

    /// The lines of both texts in order. A line of both texts occurs once.
    private static func diffLines(_ old: [String], _ new: [String]) -> [DiffLine] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let place, _, _): removed.insert(place)
            case .insert(let place, _, _): inserted.insert(place)
            }
        }
        var diffLines: [DiffLine] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if before < old.count, removed.contains(before) {
                diffLines.append(DiffLine(sign: "-", text: old[before]))
                before += 1
            } else if after < new.count, inserted.contains(after) {
                diffLines.append(DiffLine(sign: "+", text: new[after]))
                after += 1
            } else {
                diffLines.append(DiffLine(sign: " ", text: old[before]))
                (before, after) = (before + 1, after + 1)
            }
        }
        return diffLines
    }

    /// The header of a hunk, such as `@@ -3,5 +3,6 @@`: for each text, the first line and the number of lines. If a
    /// text has no line in the hunk, the header names the line before it.
    private static func header(_ diffLines: [DiffLine], _ range: Range<Int>) -> String {
        let parts = [("-", "+"), ("+", "-")].map { sign, other in
            let before = diffLines[..<range.lowerBound].count { String($0.sign) != other }
            let count = diffLines[range].count { String($0.sign) != other }
            return "\(sign)\(count == 0 ? before : before + 1),\(count)"
        }
        return "@@ \(parts[0]) \(parts[1]) @@"
    }

    /// The lines of a text. A line break at the end does not begin another line.
    private static func split(_ text: String) -> [String] {
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return parts.last == "" ? parts.dropLast() : parts
    }
}
