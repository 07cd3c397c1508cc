/// The lines in which two texts differ, in the format that `patch` reads.
package struct UnifiedDiff {
    package let lines: [String]

    private static let context = 2

    /// - Parameter name: the file's name, for both texts.
    package init(from old: String, to new: String, name: String) {
        let (old, new) = (Self.lines(old), Self.lines(new))
        let moves = Self.moves(old, new)
        let changed = moves.indices.filter { moves[$0].sign != " " }
        var lines = ["--- \(name)", "+++ \(name)"]
        var place = changed.startIndex
        while place < changed.endIndex {
            var last = place
            while last + 1 < changed.endIndex, changed[last + 1] - changed[last] <= 2 * Self.context + 1 { last += 1 }
            let range = max(0, changed[place] - Self.context)..<min(moves.count, changed[last] + Self.context + 1)
            lines.append(Self.header(moves, range))
            lines += moves[range].map { "\($0.sign)\($0.text)" }
            place = last + 1
        }
        self.lines = changed.isEmpty ? [] : lines
    }

    private struct Move {
        let sign: Character
        let text: String
    }

    /// The lines of both texts in order; a line that both have occurs once.
    private static func moves(_ old: [String], _ new: [String]) -> [Move] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let place, _, _): removed.insert(place)
            case .insert(let place, _, _): inserted.insert(place)
            }
        }
        var moves: [Move] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if before < old.count, removed.contains(before) {
                moves.append(Move(sign: "-", text: old[before]))
                before += 1
            } else if after < new.count, inserted.contains(after) {
                moves.append(Move(sign: "+", text: new[after]))
                after += 1
            } else {
                moves.append(Move(sign: " ", text: old[before]))
                (before, after) = (before + 1, after + 1)
            }
        }
        return moves
    }

    /// The header of a hunk, such as `@@ -3,5 +3,6 @@`.
    private static func header(_ moves: [Move], _ range: Range<Int>) -> String {
        let parts = [("-", "+"), ("+", "-")].map { sign, other in
            let start = moves[..<range.lowerBound].count { String($0.sign) != other }
            let count = moves[range].count { String($0.sign) != other }
            return "\(sign)\(count == 0 ? start : start + 1),\(count)"
        }
        return "@@ \(parts[0]) \(parts[1]) @@"
    }

    private static func lines(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.last == "" ? lines.dropLast() : lines
    }
}
