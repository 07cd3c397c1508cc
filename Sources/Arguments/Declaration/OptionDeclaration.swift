/// A declaration of an option.
package protocol OptionDeclaration: Declaration {
    var option: Option { get }
}

extension OptionDeclaration {
    package var declared: Declarations { Declarations(option) }

    /// As it is written: `--seed`.
    package var spelling: String { option.spelling }
}

extension Option: OptionDeclaration {
    package var option: Option { self }
}
