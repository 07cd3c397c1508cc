import Console
import Glibc
import LabSyntax
import Text
import Trace

/// The language server: one loop, on one thread, that answers the editor's messages and receives the results of checks,
/// which run in processes of their own.
struct LanguageServer {
    let session: Session
    /// The time limit of a check, in nanoseconds.
    private let checkTime: UInt64
    private var channel = MessageChannel()
    /// The open texts, by URI.
    private(set) var documents: [String: OpenDocument] = [:]
    private(set) var encoding = TextPositions.Encoding.utf16
    private var phase = Phase.waiting
    /// The URIs of the files to check, the next one first.
    private var wanted: [String] = []
    /// The check that is running.
    private var check: BackgroundCheck?
    /// Whether the editor can be asked to request code lenses, the lines with commands above programs, again.
    private var refreshesLenses = false
    /// The number of requests that the server has sent, each of which has its number as its identifier.
    private var requests = 0

    /// The server waits for `initialize`, serves requests until `shutdown`, and ends at `exit`.
    private enum Phase { case waiting, serving, shutDown, ended }

    /// The error with which the server answers a request that has no result.
    struct Refusal: Error, CustomStringConvertible {
        /// The protocol's error codes.
        enum Code: Int {
            case notInitialized = -32002
            case invalidRequest = -32600
            case unknownMethod = -32601
            case invalidParameters = -32602
            case failed = -32803
        }

        let code: Code
        let message: String
        var description: String { message }
    }

    init(_ session: Session, checkTime: UInt64) {
        self.session = session
        self.checkTime = checkTime
    }

    private static var goneEditor: Complaint { Complaint("lsp: the editor ended without 'shutdown'") }

    // MARK: - The loop

    /// Runs until the editor asks the server to end, or closes the connection.
    mutating func serve() throws -> ExitCode {
        defer { check?.cancel() }
        while phase != .ended {
            var sources = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
            if let check { sources.append(pollfd(fd: check.output, events: Int16(POLLIN), revents: 0)) }
            guard poll(&sources, nfds_t(sources.count), -1) > 0 else { continue }
            if sources.count > 1, sources[1].revents != 0 { try hearCheck() }
            guard sources[0].revents != 0 else { continue }
            channel.receive()
            if try takeMessages() {
                guard phase != .serving else { throw Self.goneEditor }
                return .expected
            }
            startCheck()
        }
        return .expected
    }

    /// Handles all messages that have arrived completely.
    ///
    /// - Returns: whether there will be no more messages.
    private mutating func takeMessages() throws -> Bool {
        while phase != .ended {
            switch try channel.next() {
            case .nothing: return false
            case .end: return true
            case .message(let bytes): try take(bytes)
            }
        }
        return false
    }

    /// Handles a message: answers a request, or acts on a notification.
    private mutating func take(_ bytes: [UInt8]) throws(Complaint) {
        let message: JSON
        do throws(JSONError) {
            message = try JSONReader.read(bytes, bytes.indices)
        } catch {
            // -32700: the message is not JSON.
            return try send(
                .object([.init(key: "id", value: .null), Self.error(-32700, "expected \(error.expected)")]))
        }
        // A message without a method answers a request of the server. Nothing depends on the answer.
        guard let method = message["method"]?.text else { return }
        let parameters = message["params"] ?? .object([])
        guard let id = message["id"] else { return try notify(method, parameters) }
        let answer: JSON.Member
        do throws(Refusal) {
            answer = .init(key: "result", value: try self.answer(method, parameters))
        } catch {
            answer = Self.error(error.code.rawValue, error.message)
        }
        try send(.object([.init(key: "id", value: id), answer]))
    }

    private static func error(_ code: Int, _ message: String) -> JSON.Member {
        .init(key: "error", value: ["code": JSON(code), "message": .string(message)])
    }

    private func send(_ message: JSON) throws(Complaint) {
        guard case .object(let members) = message else { return }
        try channel.send(.object([.init(key: "jsonrpc", value: "2.0")] + members))
    }

    func notifyEditor(_ method: String, _ parameters: JSON) throws(Complaint) {
        try send(["method": .string(method), "params": parameters])
    }

    /// Sends a request to the editor.
    private mutating func ask(_ method: String) throws(Complaint) {
        requests += 1
        try send(["id": JSON(requests), "method": .string(method)])
    }

    // MARK: - Requests

    private mutating func answer(_ method: String, _ parameters: JSON) throws(Refusal) -> JSON {
        if method == "initialize" {
            guard phase == .waiting else { throw Refusal(code: .invalidRequest, message: "initialize: a second time") }
            return initialize(parameters)
        }
        guard phase != .waiting else { throw Refusal(code: .notInitialized, message: "\(method): first 'initialize'") }
        guard phase == .serving else { throw Refusal(code: .invalidRequest, message: "\(method): after 'shutdown'") }
        if method == "shutdown" {
            phase = .shutDown
            return .null
        }
        return try feature(method, parameters)
    }

    private mutating func initialize(_ parameters: JSON) -> JSON {
        phase = .serving
        let encodings = parameters["capabilities"]?["general"]?["positionEncodings"]?.elements ?? []
        if encodings.contains(.string(TextPositions.Encoding.utf8.rawValue)) { encoding = .utf8 }
        refreshesLenses =
            parameters["capabilities"]?["workspace"]?["codeLens"]?["refreshSupport"]?.isTrue == true
        let capabilities: JSON = [
            "positionEncoding": .string(encoding.rawValue),
            // `change` 1: the editor sends the whole text after each change, because a program is small.
            "textDocumentSync": ["openClose": true, "change": 1, "save": true],
            "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
            "documentHighlightProvider": true, "documentSymbolProvider": true, "documentFormattingProvider": true,
            "renameProvider": ["prepareProvider": true], "completionProvider": ["triggerCharacters": ["."]],
            "codeLensProvider": [:],
        ]
        return [
            "capabilities": capabilities, "serverInfo": ["name": "threadlab", "version": .string(Session.version)],
        ]
    }

    // MARK: - Notifications

    /// Handles a notification. Unknown ones are ignored, as the protocol requires.
    private mutating func notify(_ method: String, _ parameters: JSON) throws(Complaint) {
        if method == "exit" {
            guard phase == .shutDown else { throw Self.goneEditor }
            phase = .ended
            return
        }
        guard phase == .serving, let uri = parameters["textDocument"]?["uri"]?.text else { return }
        switch method {
        case "textDocument/didOpen":
            try change(uri, parameters["textDocument"]?["text"]?.text)
            want(uri)
        case "textDocument/didChange":
            try change(uri, parameters["contentChanges"]?.elements.last?["text"]?.text)
            // The result of the running check would be about an older text.
            if check?.uri == uri { cancelCheck() }
        case "textDocument/didSave": want(uri)
        case "textDocument/didClose":
            documents[uri] = nil
            wanted.removeAll { $0 == uri }
            if check?.uri == uri { cancelCheck() }
            try notifyEditor("textDocument/publishDiagnostics", ["uri": .string(uri), "diagnostics": []])
        default: break
        }
    }

    /// Keeps the new text, and sends its errors to the editor.
    private mutating func change(_ uri: String, _ text: String?) throws(Complaint) {
        guard let text else { return }
        documents[uri] = OpenDocument(uri: uri, text, encoding)
        try publish(uri)
    }

    private func publish(_ uri: String) throws(Complaint) {
        guard let document = documents[uri] else { return }
        try notifyEditor(
            "textDocument/publishDiagnostics",
            ["uri": .string(uri), "diagnostics": .array(diagnostics(of: document))])
    }

    // MARK: - The check in the background

    /// Puts the file at the end of those to check.
    private mutating func want(_ uri: String) {
        if check?.uri == uri { cancelCheck() }
        wanted.removeAll { $0 == uri }
        wanted.append(uri)
    }

    private mutating func cancelCheck() {
        check?.cancel()
        check = nil
    }

    /// Checks the next file, unless a check is running. A program with errors is not checked.
    private mutating func startCheck() {
        while check == nil, !wanted.isEmpty {
            guard let document = documents[wanted.removeFirst()], let path = document.path else { continue }
            let reading = reading(of: document)
            // If the file calls a compiled program, a check would start that. Opening a text must start no program.
            guard !reading.hasErrors, reading.program?.call == nil else { continue }
            check = BackgroundCheck(of: path, document.uri, time: checkTime)
        }
    }

    /// Reads output of the running check. If the check has ended, sends its result to the editor.
    private mutating func hearCheck() throws(Complaint) {
        guard var running = check else { return }
        let output = running.receive()
        check = running
        guard let output else { return }
        check = nil
        documents[running.uri]?.verdict = CheckVerdict(output)
        try publish(running.uri)
        if refreshesLenses { try ask("workspace/codeLens/refresh") }
        startCheck()
    }
}
