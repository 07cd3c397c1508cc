/// A place in a source text for people: lines and columns from 1, one column per Unicode scalar.
package struct Site: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
