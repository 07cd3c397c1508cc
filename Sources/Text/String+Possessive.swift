extension String {
    /// For `NAME's lock`: a name that ends in s gets only the apostrophe.
    package var possessive: String { self + (hasSuffix("s") ? "'" : "'s") }
}
