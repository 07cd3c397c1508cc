/// A declaration that a command lists among its options.
package protocol OptionDeclaration: Sendable {
    var option: Option { get }
}

extension OptionDeclaration {
    /// As it is written: `--seed`.
    package var spelling: String { option.spelling }
}

extension Option: OptionDeclaration {
    package var option: Option { self }
}
