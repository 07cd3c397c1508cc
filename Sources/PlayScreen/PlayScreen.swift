import CScreen
import Glibc
import Play
import Text

/// `play` on a whole terminal screen, with keys for the usual commands; `:` begins a typed one. When the session ends,
/// by a command or a signal, the terminal is restored.
package struct PlayScreen {
    package private(set) var session: PlaySession
    private var content: ScreenLayout.Content
    /// The layout that was drawn last.
    private var last: ScreenLayout?
    private var screen = screen_t()
    /// The maximum number of characters in a typed command.
    private static let longestInput = 200

    /// - Parameter isProjected: whether it is shown to an audience: few lines, in bold.
    package init(_ session: PlaySession, name: String, ascii: Bool, color: Bool, isProjected: Bool = false) {
        self.session = session
        content = ScreenLayout.Content(
            name: name, messages: session.endLines.isEmpty ? [session.readyLine] : session.endLines)
        content.ascii = ascii
        content.color = color
        content.isProjected = isProjected
    }

    /// The lines to print after the screen is closed. Commands stay on one line, so that they can be copied.
    package var farewell: [String] {
        session.farewell.flatMap { line in
            line.isCommand ? [line.text] : ScreenText.wrapped(line.text, width: max(columns, 20))
        }
    }

    /// The width of the last drawn screen.
    private var columns: Int { last?.columns ?? 80 }

    package enum Ending: Equatable {
        case quit
        case signal(Int32)
        /// The terminal is gone, so nothing can be printed.
        case gone
        /// The terminal cannot show a screen, so nothing was started.
        case noScreen
    }

    /// Takes over the terminal until the session ends.
    ///
    /// - Throws: errors of the session, after the terminal has been restored.
    package mutating func run() throws -> Ending {
        guard screen_begin(&screen, content.color) else { return .noScreen }
        defer { screen_end(&screen) }
        while !session.isOver {
            draw()
            let key = screen_wait(&screen)
            // Signal n is reported as the key `screen_key_signal` - n.
            if key <= Int32(screen_key_signal.rawValue) { return .signal(Int32(screen_key_signal.rawValue) - key) }
            if key == screen_key_gone.rawValue { return .gone }
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
        if content.input != nil { return try edit(key) }
        switch key {
        case _ where session.isAskedOfStep && Self.moves.contains(key): remind()
        case screen_key_left.rawValue: try perform(.back(1))
        case screen_key_right.rawValue: try perform(.forward(1))
        case screen_key_home.rawValue: try perform(.start)
        case screen_key_end.rawValue: try perform(.end)
        case screen_key_page_up.rawValue: try perform(.back(10))
        case screen_key_page_down.rawValue: try perform(.forward(10))
        case screen_key_up.rawValue: scroll(-1)
        case screen_key_down.rawValue: scroll(1)
        case screen_key_resize.rawValue: screen_redraw()
        case screen_key_escape.rawValue: if session.isAskedOfStep { try perform(.cancel) }
        default: try handle(character: key)
        }
    }

    private mutating func handle(character key: Int32) throws {
        guard key > 0, let scalar = Unicode.Scalar(UInt32(key)) else { return }
        switch Character(scalar) {
        case "0"..."9": try digit(Int(key) - Int(UInt8(ascii: "0")))
        case "?": say(session.blocked.isEmpty ? [session.readyLine] : session.blocked.map { session.why($0) })
        case " ": if let shown = last?.shownMessages { content.linesRead += shown }
        // The beginning of a typed answer: `none`, or a negative number.
        case "n", "-": if session.isAsked && !session.takesOneDigit { content.input = scalar == "-" ? "-" : "none" }
        case let letter where session.isAskedOfStep && "phbr".contains(letter): remind()
        case "p": try perform(.predict(nil))
        case "h":
            say(["Searching ..."])
            draw()
            try perform(.hint)
        case "b": try perform(.bookmark(nil))
        case "r": try perform(.run(.byDefault, until: .finding))
        case "s": try perform(.schedule)
        case ":": content.input = ""
        case "q": try perform(.quit)
        case "\u{C}": screen_redraw()  // Ctrl-L
        default: say(["':help' lists the commands, 'q' quits."])
        }
    }

    /// Keys that move. While a question about a step is open, they only remind of it.
    private static let moves = [
        screen_key_left, screen_key_right, screen_key_home, screen_key_end, screen_key_page_up, screen_key_page_down,
    ].map { Int32($0.rawValue) }

    /// Shows a reminder of the open question, which stays until it is answered or withdrawn.
    private mutating func remind() { say(["First the answer; Escape: no step is taken."]) }

    /// Shows these messages, and the open question if they do not contain it.
    ///
    /// - Parameter first: whether they may hide the rest of the screen.
    private mutating func say(_ lines: [String], first: Bool = false) {
        content.linesRead = 0
        content.comesFirst = first
        content.messages = lines
        let question = session.isAskedOfStep ? session.questionLines : []
        if !question.allSatisfy(lines.contains) { content.messages += question }
    }

    private mutating func scroll(_ count: Int) {
        if let first = last?.firstLine { content.firstLine = first + count }
    }

    /// A digit is the answer to the open question, or its beginning, or the number of the thread that steps.
    private mutating func digit(_ digit: Int) throws {
        if session.isAsked {
            if session.takesOneDigit { return try perform(.answer([digit])) }
            content.input = "\(digit)"
        } else {
            try perform(.step(thread: "\(digit)", way: nil))
        }
    }

    /// Handles a key while a command or an answer is typed.
    private mutating func edit(_ key: Int32) throws {
        switch key {
        case screen_key_enter.rawValue:
            let line = content.input ?? ""
            content.input = nil
            content.firstLine = nil
            let answer = try session.perform(line: line)
            if !answer.isEmpty { say(answer, first: true) }
        case screen_key_escape.rawValue: content.input = nil
        case screen_key_back.rawValue: if content.input?.popLast() == nil { content.input = nil }
        case screen_key_resize.rawValue: screen_redraw()
        default:
            // Keys below the space are control characters.
            guard key >= Int32(UInt8(ascii: " ")), let scalar = Unicode.Scalar(UInt32(key)),
                (content.input ?? "").count < Self.longestInput
            else { return }
            content.input?.unicodeScalars.append(scalar)
        }
    }

    private mutating func perform(_ command: PlayCommand) throws {
        content.firstLine = nil
        say(try session.perform(command))
    }

    // MARK: - Drawing

    private mutating func draw() {
        screen_clear()
        let layout = ScreenLayout(session, content, rows: Int(screen_rows()), columns: Int(screen_columns()))
        last = layout
        if content.firstLine != nil { content.firstLine = layout.firstLine }
        for line in layout.lines {
            screen_put(Int32(line.row), Int32(line.column), line.text, line.style.attributes)
        }
        if let input = content.input {
            screen_show_cursor(screen_rows() - 1, Int32(min(input.unicodeScalars.count + 1, Int(screen_columns()) - 1)))
        } else {
            screen_hide_cursor()
        }
        screen_refresh()
    }
}

extension ScreenLine.Style {
    /// The style as `screen_put` takes it: bits for bold (1), dim (2) and reverse (4), and the color.
    fileprivate var attributes: Int32 {
        let color = self.color ?? 0
        return (isBold ? 1 : 0) | (isDim ? 2 : 0) | (isReverse ? 4 : 0) | Int32(color) * Int32(screen_color.rawValue)
    }
}
