import LabProgram
import LabSyntax
import Text

/// Compares the text of a submission with its task, declaration by declaration: first what the task has, then what only
/// the submission has. In this file, `own` is the submission's version of a declaration.
struct Comparison {
    private let task: LabTask
    private let wanted: Outline
    private let submission: Outline
    private(set) var evasions: [Evasion] = []
    /// Where missing code is reported: at the submission's first word.
    private let beginning: Span

    init(_ task: LabTask, _ submission: Outline, _ source: SourceText) {
        self.task = task
        self.submission = submission
        wanted = task.outline
        beginning = source.words().first?.span ?? Span(0, 0)
        for declaration in wanted.declarations { compare(declaration) }
        for declaration in submission.declarations { refuseAdditions(declaration) }
        evasions.sort { $0.span.start < $1.span.start }
    }

    private mutating func add(_ code: Evasion.Code, _ message: String, help: String? = nil, at span: Span) {
        // One report for each place is enough. Several things may be missing at the beginning.
        guard span == beginning || !evasions.contains(where: { $0.span == span }) else { return }
        evasions.append(Evasion(code, message, help: help, at: span))
    }

    // MARK: - What the task has

    private mutating func compare(_ declaration: Outline.Declaration) {
        let own = submission.declaration(declaration.name)
        switch declaration.kind {
        case .parameter: require(declaration, own, .parameter, "the parameter \(quoted(declaration.name)) must stay")
        case .object, .function:
            if declaration.isGiven {
                require(declaration, own, .given, "\(quoted(declaration.name)) is given and must stay")
            } else if wanted.claimedNames.contains(declaration.name) {
                requireClaimed(declaration, own)
            }
        case .thread:
            if declaration.isGiven {
                require(declaration, own, .given, "the thread \(quoted(declaration.name)) is given and must stay")
            } else {
                requireThread(declaration, own)
            }
        }
    }

    /// Requires a declaration with the same words, apart from comments and `;`.
    private mutating func require(
        _ declaration: Outline.Declaration, _ own: Outline.Declaration?, _ code: Evasion.Code, _ sentence: String
    ) {
        guard let own else {
            return add(code, sentence, help: "add '\(declaration.text)'\(lookalike(declaration.name))", at: beginning)
        }
        if own.kind != declaration.kind || own.whole != declaration.whole {
            let change = change(declaration, own)
            add(
                code, sentence + " as it is", help: change?.help ?? "write '\(declaration.text)'",
                at: change?.place ?? own.nameSpan)
        } else if declaration.isGiven && !own.isGiven {
            add(code, sentence + " as it is", help: "write 'given' before it", at: own.nameSpan)
        }
    }

    /// Returns the place in the submission where the body of a declaration begins to differ, and the task's line there.
    /// Returns nil if the declarations differ before their bodies, or have none.
    private func change(
        _ declaration: Outline.Declaration, _ own: Outline.Declaration
    ) -> (place: Span, help: String)? {
        let (words, ownWords) = (declaration.whole, own.whole)
        let difference = zip(words, ownWords).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let number = difference ?? min(words.count, ownWords.count)
        guard own.kind == declaration.kind, let body = words.firstIndex(where: { $0.text == "{" }), number > body,
            let place = own.places.indices.contains(number) ? own.places[number] : own.places.last
        else { return nil }
        guard words.indices.contains(number), words[number].text != "}" else {
            return (place, "the task has nothing here")
        }
        let lines = String(decoding: task.source.bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        let line = task.source.site(of: declaration.places[number].start).line
        return (place, "the task has '\(lines[line - 1].trimmed.printable)' here")
    }

    /// Requires a variable or function that the task's claims use to be declared with the same words, except that an
    /// atomic may replace a plain variable.
    private mutating func requireClaimed(_ declaration: Outline.Declaration, _ own: Outline.Declaration?) {
        let sentence = "the task's claims use \(quoted(declaration.name))"
        guard let own else {
            return add(
                .claim, sentence + ", which is missing",
                help: "add '\(declaration.text)'\(lookalike(declaration.name))", at: beginning)
        }
        if own.kind != declaration.kind || own.whole.claimable != declaration.whole.claimable {
            add(.claim, sentence + ": it must stay as it is", help: "write '\(declaration.text)'", at: own.nameSpan)
        }
    }

    /// Requires a thread of the same name and number of elements, whose body starts, joins and detaches threads, and
    /// makes progress, as in the task.
    private mutating func requireThread(_ declaration: Outline.Declaration, _ own: Outline.Declaration?) {
        guard let own, own.kind == .thread else {
            return add(
                .thread, "the thread \(quoted(declaration.name)) is missing",
                help: "add '\(declaration.text)'\(lookalike(declaration.name))", at: own?.nameSpan ?? beginning)
        }
        if own.head != declaration.head {
            add(
                .thread, "the task has '\(declaration.head.text)', and this is '\(own.head.text)'",
                help: "write '\(declaration.head.text)'", at: own.nameSpan)
        }
        compareVerbs(declaration, own)
        compareProgress(declaration, own)
    }

    // MARK: - How threads start and end

    /// Requires a thread to have the `spawn`, `join` and `detach` statements of the task (its *verbs*), unconditionally
    /// where the task's are unconditional, and no further ones for threads of the task.
    private mutating func compareVerbs(_ declaration: Outline.Declaration, _ own: Outline.Declaration) {
        var unmatched = own.verbs
        for verb in declaration.verbs {
            let match =
                unmatched.firstIndex { $0.text == verb.text && $0.isCertain == verb.isCertain }
                ?? unmatched.firstIndex { $0.text == verb.text }
            guard let match else {
                add(
                    .start, "\(quoted(declaration.name)) must '\(verb.text.printable)', as in the task",
                    at: own.nameSpan)
                continue
            }
            if verb.isCertain && !unmatched[match].isCertain {
                add(
                    .start,
                    "\(quoted(declaration.name)) must '\(verb.text.printable)' in any case, as in the task: not in a "
                        + "block, and not after a 'return'", at: unmatched[match].span)
            }
            unmatched.remove(at: match)
        }
        for verb in unmatched { refuse(verb) }
    }

    /// Reports a `spawn`, `join` or `detach` of a thread of the task. The submission may do so with threads of its own.
    private mutating func refuse(_ verb: Outline.Verb) {
        guard wanted.declaration(verb.thread)?.kind == .thread else { return }
        add(.start, "the task does not '\(verb.text.printable)' here", help: "leave it out", at: verb.span)
    }

    /// Requires as many `progress` statements as in the task.
    private mutating func compareProgress(_ declaration: Outline.Declaration, _ own: Outline.Declaration) {
        let (number, ownNumber) = (declaration.progress.count, own.progress.count)
        if ownNumber > number {
            add(.progress, "the task has no 'progress' here", help: "leave it out", at: own.progress[number])
        } else if ownNumber < number {
            add(
                .progress, "\(quoted(declaration.name)) must say where it makes 'progress', as in the task",
                at: own.nameSpan)
        }
    }

    // MARK: - What only the submission has

    /// Reports what is not permitted in a declaration of the submission. `compare` has checked what the task requires.
    private mutating func refuseAdditions(_ own: Outline.Declaration) {
        let known = wanted.declaration(own.name)
        if own.isGiven, own.kind != .parameter, known?.isGiven != true {
            add(
                .given, "\(quoted(own.name)) is not given by the task", help: "leave 'given' out", at: own.nameSpan)
        }
        guard known == nil else {
            // A function of the task that is not given has no verbs and no `progress` (`LabTask`), so all are new.
            if own.kind == .function, known?.isGiven != true {
                for verb in own.verbs { refuse(verb) }
                refuseProgress(own)
            }
            return
        }
        if wanted.fixedNames.contains(own.name) || wanted.claimedNames.contains(own.name) {
            add(
                .name, "the task uses the name \(quoted(own.name)) itself", help: "choose another name",
                at: own.nameSpan)
        }
        if own.kind == .thread && !limitsThreads {
            add(
                .thread, "the task has no thread \(quoted(own.name))", help: "leave it out", at: own.nameSpan)
        }
        for verb in own.verbs { refuse(verb) }
        refuseProgress(own)
    }

    private mutating func refuseProgress(_ own: Outline.Declaration) {
        guard let place = own.progress.first else { return }
        add(.progress, "the task has no 'progress' here", help: "leave it out", at: place)
    }

    /// Whether the task limits the number of threads: only then may a submission have threads of its own.
    private var limitsThreads: Bool {
        task.program.task?.rules.contains { if case .atMost(_, .threads) = $0.kind { true } else { false } } ?? false
    }

    /// A hint if the submission has a new name of the same length with characters that are not ASCII, which may look
    /// like those of the missing name. Empty otherwise.
    private func lookalike(_ name: String) -> String {
        let other = submission.declarations.first { own in
            own.name != name && own.name.count == name.count && wanted.declaration(own.name) == nil
                && own.name.unicodeScalars.contains { !$0.isASCII }
        }
        return other.map { "; \(quoted($0.name)) has letters of another script" } ?? ""
    }
}

extension Outline.Declaration {
    /// The declaration on one line, with `{ … }` in place of the body of a function or thread.
    var text: String {
        let words = kind == .function || kind == .thread ? Array(whole.prefix { $0.text != "{" }) : whole
        let body = words.count < whole.count ? " { … }" : ""
        return ((isGiven && kind != .parameter ? "given " : "") + words.text + body).printable
    }
}

extension [Outline.Word] {
    /// The words with spaces as in the canonical form of a program, so far as declarations need it.
    var text: String {
        var text = ""
        for (number, word) in enumerated() {
            let before = number > 0 ? self[number - 1].text : ""
            let isGlued =
                number == 0 || [",", ")", "]", ":", "..<", "...", "."].contains(word.text)
                || ["(", "[", "..<", "...", "."].contains(before)
                || ["(", "["].contains(word.text) && before != "=" && before != ","
            text += (isGlued ? "" : " ") + word.text
        }
        return text
    }

    /// The words with `shared` in place of `atomic`: claims do not depend on the difference.
    fileprivate var claimable: [Outline.Word] {
        guard first?.text == Keyword.atomic.rawValue else { return self }
        return [Outline.Word(text: Keyword.shared.rawValue, beginsStatement: true)] + dropFirst()
    }
}
