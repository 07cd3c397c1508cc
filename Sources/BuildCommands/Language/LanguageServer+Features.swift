import Console
import LabEditing
import LabProgram
import LabSyntax
import Text
import Trace

/// The answers to an editor's requests about a text, in the JSON of the Language Server Protocol.
extension LanguageServer {
    /// The answer to a request, by its method.
    func feature(_ method: String, _ parameters: JSON) throws(Refusal) -> JSON {
        switch method {
        case "textDocument/hover": return hover(try place(parameters))
        case "textDocument/definition": return definition(try place(parameters))
        case "textDocument/references": return references(try place(parameters), parameters)
        case "textDocument/documentHighlight": return highlights(try place(parameters))
        case "textDocument/prepareRename": return try renameable(try place(parameters))
        case "textDocument/rename": return try rename(try place(parameters), to: parameters["newName"]?.text ?? "")
        case "textDocument/completion": return completions(try place(parameters))
        case "textDocument/documentSymbol": return symbols(of: try document(parameters))
        case "textDocument/formatting": return formatting(of: try document(parameters))
        case "textDocument/codeLens": return lenses(of: try document(parameters))
        default: throw Refusal(code: .unknownMethod, message: "\(method): not known")
        }
    }

    /// A place in an open text, as a byte offset.
    private struct Place {
        let document: OpenDocument
        let offset: Int

        var name: DeclaredName? { document.program.name(at: offset) }
    }

    private func document(_ parameters: JSON) throws(Refusal) -> OpenDocument {
        guard let uri = parameters["textDocument"]?["uri"]?.text, let document = documents[uri] else {
            throw Refusal(code: .invalidParameters, message: "the text is not open")
        }
        return document
    }

    private func place(_ parameters: JSON) throws(Refusal) -> Place {
        let document = try document(parameters)
        return Place(document: document, offset: document.positions.offset(parameters["position"]))
    }

    // MARK: - Errors

    /// The text, read and checked as a program.
    func reading(of document: OpenDocument) -> LabReading {
        session.files.reading(of: document.program.source)
    }

    /// The errors and warnings of the text (severities 1 and 2), and what the last check has found, as warnings.
    func diagnostics(of document: OpenDocument) -> [JSON] {
        let own = reading(of: document).diagnostics.map { diagnostic -> JSON in
            let notes = diagnostic.notes.map { note -> JSON in
                [
                    "location": ["uri": .string(document.uri), "range": document.positions.range(note.span)],
                    "message": .string(note.message),
                ]
            }
            return [
                "range": document.positions.range(diagnostic.span), "severity": diagnostic.severity == .error ? 1 : 2,
                "source": "threadlab", "message": .string(diagnostic.sentence), "relatedInformation": .array(notes),
            ]
        }
        let found = document.verdict?.findings.map { finding -> JSON in
            [
                "range": document.positions.range(ofLine: finding.line ?? 1), "severity": 2,
                "source": "threadlab check",
                "message": .string(finding.message),
            ]
        }
        return own + (found ?? [])
    }

    // MARK: - Names

    private func location(_ span: Span, _ document: OpenDocument) -> JSON {
        ["uri": .string(document.uri), "range": document.positions.range(span)]
    }

    private func definition(_ place: Place) -> JSON {
        place.name.map { location($0.name.span, place.document) } ?? .null
    }

    private func references(_ place: Place, _ parameters: JSON) -> JSON {
        guard let name = place.name else { return [] }
        let isWithDeclaration = parameters["context"]?["includeDeclaration"]?.isTrue != false
        let uses = place.document.program.uses(of: name).filter { isWithDeclaration || $0 != name.name.span }
        return .array(uses.map { location($0, place.document) })
    }

    private func highlights(_ place: Place) -> JSON {
        guard let name = place.name else { return [] }
        return .array(place.document.program.uses(of: name).map { ["range": place.document.positions.range($0)] })
    }

    private func renameable(_ place: Place) throws(Refusal) -> JSON {
        guard place.name != nil, let word = place.document.program.word(at: place.offset) else {
            throw Refusal(code: .failed, message: "the program declares nothing of this name")
        }
        return ["range": place.document.positions.range(word.span), "placeholder": .string(word.text)]
    }

    private func rename(_ place: Place, to text: String) throws(Refusal) -> JSON {
        guard let name = place.name else {
            throw Refusal(code: .failed, message: "the program declares nothing of this name")
        }
        let places: [Span]
        do {
            places = try place.document.program.renaming(name, to: text)
        } catch {
            throw Refusal(code: .failed, message: error.reason)
        }
        let edits = places.map { span -> JSON in
            ["range": place.document.positions.range(span), "newText": .string(text)]
        }
        return ["changes": .object([.init(key: place.document.uri, value: .array(edits))])]
    }

    private func symbols(of document: OpenDocument) -> JSON {
        let names = document.program.names.filter { if case .variable = $0.kind { false } else { true } }
        return .array(
            names.map { name in
                [
                    "name": .string(name.name.text), "kind": JSON(name.symbolKind), "detail": .string(name.noun),
                    "range": document.positions.range(name.declaration),
                    "selectionRange": document.positions.range(name.name.span),
                ]
            })
    }

    // MARK: - Words

    private func completions(_ place: Place) -> JSON {
        .array(
            place.document.program.completions(at: place.offset).map { completion in
                [
                    "label": .string(completion.text), "kind": JSON(completion.protocolKind),
                    "detail": .string(completion.detail),
                ]
            })
    }

    private func hover(_ place: Place) -> JSON {
        guard let word = place.document.program.word(at: place.offset),
            let text = HoverText(word, place.name, in: place.document.program.source, session).markdown
        else { return .null }
        return [
            "contents": ["kind": "markdown", "value": .string(text)],
            "range": place.document.positions.range(word.span),
        ]
    }

    // MARK: - The whole text

    private func formatting(of document: OpenDocument) -> JSON {
        // A text with errors is not formatted; its errors are shown already.
        let source = document.program.source
        guard source.isText, let text = try? source.formatted(), Array(text.utf8) != source.bytes else { return [] }
        return [["range": document.positions.range(Span(0, source.bytes.count)), "newText": .string(text)]]
    }

    /// The commands above a program. The editor runs them in its terminal.
    private func lenses(of document: OpenDocument) -> JSON {
        guard let path = document.path else { return [] }
        let line = document.program.source.firstCodeLine
        let verdict = document.verdict.map { ": \($0.title)" } ?? ""
        let commands = [("run", "run"), ("explore", "explore"), ("check", "check\(verdict)")]
        return .array(
            commands.map { command, title in
                [
                    "range": document.positions.range(ofLine: line),
                    "command": [
                        "title": .string(title), "command": .string("threadlab.\(command)"),
                        "arguments": [.string(path)],
                    ],
                ]
            })
    }
}

extension Diagnostic {
    /// The message, with the text to write instead.
    fileprivate var sentence: String { help.map { "\(message): \($0)" } ?? message }
}

extension SourceText {
    /// The first line that is neither blank nor a comment, counted from 1. 1: there is none.
    fileprivate var firstCodeLine: Int {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let place = lines.firstIndex {
            !$0.allSatisfy(\.isWhitespace) && !$0.drop(while: \.isWhitespace).hasPrefix("//")
        }
        return (place ?? 0) + 1
    }
}

extension DeclaredName {
    /// The number of the kind in the protocol (`SymbolKind`).
    fileprivate var symbolKind: Int {
        switch kind {
        case .parameter: 14  // a constant
        case .object: 13  // a variable
        case .thread: 5  // a class
        case .function: 12  // a function
        case .variable: 13  // a variable
        }
    }
}

extension CompletedWord {
    /// The number of the kind in the protocol (`CompletionItemKind`).
    fileprivate var protocolKind: Int {
        switch kind {
        case .parameter: 21  // a constant
        case .object, .variable: 6  // a variable
        case .thread: 7  // a class
        case .function: 3  // a function
        case .member: 2  // a method
        case .keyword: 14  // a keyword
        }
    }
}
