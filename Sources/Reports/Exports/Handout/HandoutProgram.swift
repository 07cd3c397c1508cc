/// What a handout shows of a program, besides one of its runs.
package struct HandoutProgram {
    /// A line of its text, with its number in the file, from 1. If the number is 0, the line stands for lines that are
    /// left out.
    package struct Line: Equatable, Sendable {
        package var number: Int
        package var text: String

        package init(number: Int, text: String) {
            self.number = number
            self.text = text
        }
    }

    package var title: String
    /// The values of its parameters.
    package var details: [String]
    /// The lines of the program's text, without those that reveal the answer.
    package var lines: [Line]
    /// The command that repeats the run.
    package var replay: String

    package init(title: String, details: [String], lines: [Line], replay: String) {
        self.title = title
        self.details = details
        self.lines = lines
        self.replay = replay
    }
}
