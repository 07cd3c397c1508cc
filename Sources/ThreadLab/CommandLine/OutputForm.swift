import Arguments

/// Whether a command writes for people or for scripts.
enum OutputForm: String, CaseIterable {
    case text, json

    static let option = TypedOption.choice(
        "format", default: OutputForm.text, placeholder: "FORMAT", "Output format")
}
