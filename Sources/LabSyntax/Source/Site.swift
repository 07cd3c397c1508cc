/// A place in a source text as people count: lines and columns from 1, a column for each Unicode scalar.
package struct Site: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
