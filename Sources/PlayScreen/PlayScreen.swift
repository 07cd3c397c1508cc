import CScreen
import Glibc
import Play
import Text

/// The stepper on a whole terminal screen, with a key for each command.
///
/// The terminal is left as it was, however this ends.
package struct PlayScreen {
    private var session: PlaySession
    private let name: String
    private let ascii: Bool
    private var messages: [String]
    /// The command that is being typed.
    private var input: String?
    private var screen = screen_t()
    private static let longestInput = 200

    package init(_ session: PlaySession, name: String, ascii: Bool) {
        self.session = session
        self.name = name
        self.ascii = ascii
        messages = session.endLines.isEmpty ? [session.readyLine] : session.endLines
    }

    /// How a session on a screen ended.
    package enum Ending: Equatable {
        case quit
        case signal(Int32)
        /// The terminal cannot show a screen: nothing has happened.
        case noScreen
    }

    /// - Throws: what the session throws; the terminal is restored before.
    package mutating func run() throws -> Ending {
        guard screen_begin(&screen) else { return .noScreen }
        defer { screen_end(&screen) }
        while !session.isOver {
            draw()
            let key = screen_wait(&screen)
            if key <= Int32(screen_key_signal.rawValue) { return .signal(Int32(screen_key_signal.rawValue) - key) }
            if key == screen_key_gone.rawValue { return .quit }
            do {
                try handle(key)
            } catch is PlayInterrupted {
                return .signal(SIGINT)
            }
        }
        return .quit
    }

    // MARK: - Keys

    private mutating func handle(_ key: Int32) throws {
        if input != nil { return try edit(key) }
        switch key {
        case screen_key_left.rawValue: try perform(.back(1))
        case screen_key_right.rawValue: try perform(.forward(1))
        case screen_key_home.rawValue: try perform(.start)
        case screen_key_end.rawValue: try perform(.end)
        case screen_key_page_up.rawValue: try perform(.back(10))
        case screen_key_page_down.rawValue: try perform(.forward(10))
        case screen_key_resize.rawValue: screen_redraw()
        default: try handle(character: key)
        }
    }

    private mutating func handle(character key: Int32) throws {
        guard key > 0, let scalar = Unicode.Scalar(UInt32(key)) else { return }
        switch Character(scalar) {
        case "0"..."9": try digit(Int(key) - 48)
        case "?": messages = session.blocked.isEmpty ? [session.readyLine] : session.blocked.map { session.why($0) }
        case "p": try perform(.predict(nil))
        case "h":
            messages = ["Searching ..."]
            draw()
            try perform(.hint)
        case "b": try perform(.bookmark(nil))
        case "r": try perform(.run(.byDefault, until: .finding))
        case "s": try perform(.schedule)
        case ":": input = ""
        case "q": try perform(.quit)
        case "\u{C}": screen_redraw()
        default: messages = ["':help' lists the commands, 'q' quits."]
        }
    }

    /// A thread's number, or the answer to a question.
    private mutating func digit(_ digit: Int) throws {
        if session.isAsked {
            if session.takesOneDigit { return try perform(.answer([digit])) }
            input = "\(digit)"
        } else {
            try perform(.step(thread: "\(digit)", way: nil))
        }
    }

    private mutating func edit(_ key: Int32) throws {
        switch key {
        case screen_key_enter.rawValue:
            let line = input ?? ""
            input = nil
            let answer = try session.perform(line: line)
            if !answer.isEmpty { messages = answer }
        case screen_key_escape.rawValue: input = nil
        case screen_key_back.rawValue: if input?.popLast() == nil { input = nil }
        case screen_key_resize.rawValue: screen_redraw()
        default:
            guard key >= 32, let scalar = Unicode.Scalar(UInt32(key)), (input ?? "").count < Self.longestInput else {
                return
            }
            input?.unicodeScalars.append(scalar)
        }
    }

    private mutating func perform(_ command: PlayCommand) throws {
        messages = try session.perform(command)
    }

    // MARK: - Drawing

    private func draw() {
        screen_clear()
        let lines = ScreenLayout.lines(
            session, name: name, messages: messages, input: input, rows: Int(screen_rows()),
            columns: Int(screen_columns()), ascii: ascii)
        for line in lines {
            let style: Int32 =
                switch line.style {
                case .plain: 0
                case .bold: 1
                case .dim: 2
                case .reverse: 4
                }
            screen_put(Int32(line.row), Int32(line.column), line.text, style)
        }
        if let input {
            screen_show_cursor(screen_rows() - 1, Int32(min(input.unicodeScalars.count + 1, Int(screen_columns()) - 1)))
        } else {
            screen_hide_cursor()
        }
        screen_refresh()
    }
}
