/// Programs with the expected messages, in `//!` lines below the lines concerned.
enum WrongPrograms {
    static let all = words + syntax + names + types + rules + values
}
