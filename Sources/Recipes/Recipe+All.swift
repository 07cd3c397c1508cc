extension Recipe {
    /// Every object that is built by a recipe. This makes its word, members and block part of the `.lab` language.
    package static let all: [Recipe] = [barrier, latch, once]
}
