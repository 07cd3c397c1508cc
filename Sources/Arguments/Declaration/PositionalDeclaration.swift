/// A declaration that a command lists among its positionals.
package protocol PositionalDeclaration: Sendable {
    var positional: Positional { get }
}

extension Positional: PositionalDeclaration {
    package var positional: Positional { self }
}
