// A stand-in for VS Code, with as much of it as the extension uses: says whether the providers that the extension registers
// answer as they should.
//
// Usage: node vscode.js EXTENSION SERVER FILE
const assert = require("assert");
const fs = require("fs");
const Module = require("module");

const [, , extension, program, file] = process.argv;
const providers = {};
const commands = {};
const seen = { diagnostics: [], sent: [], refreshes: 0, refused: [] };
const nothing = { dispose() {} };

const value = (name) => class { constructor(...parts) { this.name = name; this.parts = parts; } };
const listens = () => nothing;
const vscode = {
  Range: class { constructor(...numbers) { this.numbers = numbers; } },
  WorkspaceEdit: class { constructor() { this.changes = []; } set(uri, edits) { this.changes.push([uri, edits]); } },
  EventEmitter: class { constructor() { this.event = listens; } fire() { seen.refreshes += 1; } dispose() {} },
  Uri: { parse: (text) => text },
  languages: new Proxy({}, {
    get: (_, name) => name === "createDiagnosticCollection"
      ? () => ({ set: (uri, list) => seen.diagnostics.push(list), dispose() {} })
      : (selector, provider) => { providers[name] = provider; return nothing; },
  }),
  commands: { registerCommand: (name, action) => { commands[name] = action; return nothing; } },
  window: {
    showWarningMessage: (text) => { console.log(`a warning: ${text}`); process.exit(0); },
    showErrorMessage: (text) => seen.refused.push(text),
    createTerminal: () => ({ show() {}, sendText: (text) => seen.sent.push(text) }),
  },
  workspace: {
    getConfiguration: () => ({ get: () => program }), textDocuments: [],
    onDidOpenTextDocument: listens, onDidChangeTextDocument: listens, onDidSaveTextDocument: listens,
    onDidCloseTextDocument: listens,
  },
};
for (const name of ["Location", "Hover", "MarkdownString", "Diagnostic", "DiagnosticRelatedInformation", "TextEdit",
  "DocumentHighlight", "CompletionItem", "DocumentSymbol", "CodeLens"]) vscode[name] = value(name);

const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : load(name, ...rest);

async function main() {
  const text = fs.readFileSync(file, "utf8");
  const document = { languageId: "lab", uri: { toString: () => `file://${file}` }, version: 1, getText: () => text };
  const context = { subscriptions: [] };
  vscode.workspace.textDocuments.push(document);
  await require(extension).activate(context);
  const place = { line: 2, character: 19 };
  const hover = await providers.registerHoverProvider.provideHover(document, place);
  assert.match(hover.parts[0].parts[0], /`a` is a mutex/);
  const declared = await providers.registerDefinitionProvider.provideDefinition(document, place);
  assert.deepEqual(declared.parts[1].numbers, [1, 6, 1, 7]);
  const used = await providers.registerReferenceProvider.provideReferences(document, place, { includeDeclaration: false });
  assert.equal(used.length, 2);
  const marked = await providers.registerDocumentHighlightProvider.provideDocumentHighlights(document, place);
  assert.equal(marked.length, 3);
  const renames = providers.registerRenameProvider;
  assert.equal((await renames.prepareRename(document, place)).placeholder, "a");
  assert.equal((await renames.provideRenameEdits(document, place, "first")).changes[0][1].length, 3);
  await assert.rejects(renames.provideRenameEdits(document, place, "b"), /already declared/);
  await assert.rejects(renames.prepareRename(document, { line: 4, character: 3 }));
  const words = await providers.registerCompletionItemProvider.provideCompletionItems(document, place);
  assert(words.some((item) => item.parts[0] === "lock"));
  const symbols = await providers.registerDocumentSymbolProvider.provideDocumentSymbols(document);
  assert.deepEqual(symbols.map((symbol) => symbol.parts[0]), ["a", "b", "one", "two"]);
  const formatted = await providers.registerDocumentFormattingEditProvider.provideDocumentFormattingEdits(document);
  assert.deepEqual(formatted, []);
  // The check in the background asks for new lines above the program when it has ended.
  while (seen.refreshes === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const lenses = await providers.registerCodeLensProvider.provideCodeLenses(document);
  assert.deepEqual(lenses.map((lens) => lens.parts[1].title), ["run", "explore", "check: failed: deadlock"]);
  assert.match(seen.diagnostics.at(-1)[0].parts[1], /deadlock/);
  commands["threadlab.run"]("/a b/it's.lab");
  assert.deepEqual(seen.sent, [`${program} run '/a b/it'\\''s.lab'`]);
  for (const key of ["\x03", "\x15", "\r", "\n", "\x1b[201~", "\x7f", "\x9b", "\u2028"]) {
    for (const command of ["run", "explore", "check"]) commands[`threadlab.${command}`](`/x${key}touch PWNED\r.lab`);
  }
  commands["threadlab.run"](undefined);
  assert.equal(seen.sent.length, 1);
  assert.equal(seen.refused.length, 25);
  for (const part of context.subscriptions) await part.dispose();
  console.log("all is as it should be");
}

main().catch((error) => { console.error(error); process.exit(1); });
