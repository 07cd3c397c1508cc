/// Programs with the expected messages, in `//!` lines below the lines concerned.
enum WrongPrograms {
    static let all = words + syntax + habits + names + types + rules + values
}
