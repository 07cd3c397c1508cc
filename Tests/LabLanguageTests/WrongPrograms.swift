/// Programs with what is to be said of them, in `//!` lines below the lines concerned.
enum WrongPrograms {
    static let all = words + syntax + names + types + rules + values
}
