extension Recipe {
    /// Every object that is built by a recipe. Its word, members and block are part of the `.lab` language from here on.
    package static let all: [Recipe] = [barrier, latch, once]
}
