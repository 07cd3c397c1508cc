// Speaks with `threadlab lsp` for VS Code. It needs no package: the protocol is a length and JSON, and each feature of the
// server is one provider of VS Code.
const vscode = require("vscode");
const { spawn } = require("child_process");

const language = { language: "lab" };

/** The server's process, and the questions that it has not answered yet. */
class Server {
  constructor(program, heard) {
    this.heard = heard;
    this.open = new Map();
    this.number = 0;
    this.bytes = Buffer.alloc(0);
    this.process = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (bytes) => this.receive(bytes));
    this.ended = new Promise((resolve) => {
      this.process.on("error", (error) => resolve(error.message));
      this.process.on("exit", (code) => resolve(`it ended with code ${code}`));
    });
    this.ended.then(() => { for (const answer of this.open.values()) answer(null); });
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  notify(method, params) { this.send({ method, params }); }

  /** The result, or null if the server refuses; then `refused` hears why. It must not throw. */
  ask(method, params, refused = () => {}) {
    const id = ++this.number;
    return new Promise((resolve) => {
      this.open.set(id, (answer) => {
        this.open.delete(id);
        if (answer && answer.error) refused(answer.error.message);
        resolve(answer && answer.result !== undefined ? answer.result : null);
      });
      this.send({ id, method, params });
    });
  }

  receive(bytes) {
    this.bytes = Buffer.concat([this.bytes, bytes]);
    for (;;) {
      const header = this.bytes.indexOf("\r\n\r\n");
      if (header < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.bytes.subarray(0, header).toString())[1]);
      if (this.bytes.length < header + 4 + length) return;
      const message = JSON.parse(this.bytes.subarray(header + 4, header + 4 + length).toString());
      this.bytes = this.bytes.subarray(header + 4 + length);
      if (message.method) {
        this.heard(message.method, message.params);
        if (message.id !== undefined) this.send({ id: message.id, result: null });
      } else if (this.open.has(message.id)) {
        this.open.get(message.id)(message);
      }
    }
  }
}

// Between the values of the protocol and those of VS Code.
const position = (place) => ({ line: place.line, character: place.character });
const range = (value) =>
  new vscode.Range(value.start.line, value.start.character, value.end.line, value.end.character);
const location = (value) => new vscode.Location(vscode.Uri.parse(value.uri), range(value.range));
const about = (document, place) => ({
  textDocument: { uri: document.uri.toString() }, ...(place ? { position: position(place) } : {}),
});

function diagnostic(value) {
  // The protocol counts from 1, VS Code from 0.
  const result = new vscode.Diagnostic(range(value.range), value.message, value.severity - 1);
  result.source = value.source;
  result.relatedInformation = (value.relatedInformation || []).map(
    (note) => new vscode.DiagnosticRelatedInformation(location(note.location), note.message));
  return result;
}

function edits(values) { return (values || []).map((edit) => new vscode.TextEdit(range(edit.range), edit.newText)); }

async function activate(context) {
  const program = vscode.workspace.getConfiguration("threadlab").get("program") || "threadlab";
  const diagnostics = vscode.languages.createDiagnosticCollection("threadlab");
  const lensesChanged = new vscode.EventEmitter();
  const server = new Server(program, (method, params) => {
    if (method === "textDocument/publishDiagnostics") {
      diagnostics.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
    }
    if (method === "workspace/codeLens/refresh") lensesChanged.fire();
  });
  const state = { server, isEnding: false };
  server.ended.then((reason) => {
    if (state.isEnding) return;
    vscode.window.showWarningMessage(
      `threadlab lsp: ${reason}. Install threadlab, or set "threadlab.program" to its path.`);
  });
  context.subscriptions.push(diagnostics, lensesChanged, {
    dispose: async () => {
      state.isEnding = true;
      await server.ask("shutdown", null);
      server.notify("exit", null);
    },
  });
  await server.ask("initialize", {
    processId: process.pid, rootUri: null,
    capabilities: { workspace: { codeLens: { refreshSupport: true } } },
  });
  server.notify("initialized", {});
  follow(context, server);
  provide(context, server, lensesChanged.event);
  for (const command of ["run", "explore", "check"]) {
    context.subscriptions.push(vscode.commands.registerCommand(`threadlab.${command}`, (path) => {
      // What is sent to a terminal is typed: a control character in a file's name would be a key. Between quotation marks all else is text.
      if (typeof path !== "string" || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)) {
        vscode.window.showErrorMessage(
          `threadlab ${command}: the name of this file has a character that a terminal would obey. Rename the file.`);
        return;
      }
      const terminal = vscode.window.createTerminal({ name: `threadlab ${command}` });
      terminal.show(true);
      // A single quotation mark within the path ends the quotation, is written, and begins it again.
      terminal.sendText(`${program} ${command} '${path.replaceAll("'", "'\\''")}'`);
    }));
  }
}

/** Tells the server what is open, and what is in it. */
function follow(context, server) {
  const isOurs = (document) => document.languageId === "lab";
  const open = (document) => {
    if (!isOurs(document)) return;
    server.notify("textDocument/didOpen", {
      textDocument: {
        uri: document.uri.toString(), languageId: "lab", version: document.version, text: document.getText(),
      },
    });
  };
  vscode.workspace.textDocuments.forEach(open);
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!isOurs(document)) return;
      server.notify("textDocument/didChange", {
        textDocument: { uri: document.uri.toString(), version: document.version },
        contentChanges: [{ text: document.getText() }],
      });
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (isOurs(document)) server.notify("textDocument/didSave", about(document));
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (isOurs(document)) server.notify("textDocument/didClose", about(document));
    }));
}

/** One provider for each feature of the server. */
function provide(context, server, lensesChanged) {
  const languages = vscode.languages;
  const ask = (feature, document, place, more, refused) =>
    server.ask(`textDocument/${feature}`, { ...about(document, place), ...more }, refused);
  context.subscriptions.push(
    languages.registerHoverProvider(language, {
      async provideHover(document, place) {
        const result = await ask("hover", document, place);
        return result && new vscode.Hover(new vscode.MarkdownString(result.contents.value), range(result.range));
      },
    }),
    languages.registerDefinitionProvider(language, {
      async provideDefinition(document, place) {
        const result = await ask("definition", document, place);
        return result && location(result);
      },
    }),
    languages.registerReferenceProvider(language, {
      async provideReferences(document, place, { includeDeclaration }) {
        return (await ask("references", document, place, { context: { includeDeclaration } }) || []).map(location);
      },
    }),
    languages.registerDocumentHighlightProvider(language, {
      async provideDocumentHighlights(document, place) {
        const found = await ask("documentHighlight", document, place) || [];
        return found.map((value) => new vscode.DocumentHighlight(range(value.range)));
      },
    }),
    languages.registerRenameProvider(language, {
      async prepareRename(document, place) {
        const result = await ask("prepareRename", document, place);
        if (!result) throw new Error("The program declares nothing of this name.");
        return { range: range(result.range), placeholder: result.placeholder };
      },
      async provideRenameEdits(document, place, newName) {
        let reason = null;
        const result = await ask("rename", document, place, { newName }, (text) => { reason = text; });
        if (reason) throw new Error(reason);
        const change = new vscode.WorkspaceEdit();
        for (const [uri, values] of Object.entries(result.changes)) change.set(vscode.Uri.parse(uri), edits(values));
        return change;
      },
    }),
    languages.registerCompletionItemProvider(language, {
      async provideCompletionItems(document, place) {
        return (await ask("completion", document, place) || []).map((value) => {
          // The protocol counts from 1, VS Code from 0.
          const item = new vscode.CompletionItem(value.label, value.kind - 1);
          item.detail = value.detail;
          return item;
        });
      },
    }, "."),
    languages.registerDocumentSymbolProvider(language, {
      async provideDocumentSymbols(document) {
        return (await ask("documentSymbol", document) || []).map((value) => new vscode.DocumentSymbol(
          value.name, value.detail, value.kind - 1, range(value.range), range(value.selectionRange)));
      },
    }),
    languages.registerDocumentFormattingEditProvider(language, {
      async provideDocumentFormattingEdits(document) { return edits(await ask("formatting", document)); },
    }),
    languages.registerCodeLensProvider(language, {
      onDidChangeCodeLenses: lensesChanged,
      async provideCodeLenses(document) {
        return (await ask("codeLens", document) || []).map(
          (value) => new vscode.CodeLens(range(value.range), value.command));
      },
    }));
}

module.exports = { activate };
