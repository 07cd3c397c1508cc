extension Label {
    /// The label in lines of at most this width, broken between words where that is possible. Nothing is left out.
    ///
    /// - Parameter limit: columns; at least 1. Nil: one line, however long.
    func pieces(within limit: Int?) -> [Label] {
        guard let limit, width > limit else { return [self] }
        var pieces: [Label] = []
        var line = Label.empty
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            var rest = Label(safe: word)
            let isFirst = line.width == 0
            if !isFirst && line.width + 1 + rest.width <= limit {
                line = line + Label(" ") + rest
                continue
            }
            if !isFirst { pieces.append(line) }
            while rest.width > limit {
                let (head, tail) = rest.split(at: limit)
                pieces.append(head)
                rest = tail
            }
            line = rest
        }
        if line.width > 0 || pieces.isEmpty { pieces.append(line) }
        return pieces
    }

    /// The columns of its widest word.
    var widestWord: Int { text.split(separator: " ").reduce(0) { max($0, Label(safe: $1).width) } }

    /// The label cut to at most this width, in the middle, because names differ most at their ends.
    func clippedInMiddle(to limit: Int, ascii: Bool) -> Label {
        guard width > limit, limit > 4 else { return clipped(to: limit, ascii: ascii) }
        let end = (limit - 1) / 2
        let tail = split(at: width - end).1
        return split(at: limit - 1 - tail.width).0 + Label(safe: ascii ? "~" : "…") + tail
    }

    /// The part that fits into the columns, but at least one character; and the rest.
    private func split(at column: Int) -> (Label, Label) {
        var head = 0
        var index = text.unicodeScalars.startIndex
        while index < text.unicodeScalars.endIndex {
            let columns = text.unicodeScalars[index].columns
            if head > 0 && head + columns > column { break }
            head += columns
            index = text.unicodeScalars.index(after: index)
        }
        return (Label(safe: text[..<index]), Label(safe: text[index...]))
    }
}
