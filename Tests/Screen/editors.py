#!/usr/bin/env python3
"""The language server with what people use: Neovim in tmux, the extension for VS Code in Node, and a client from PyPI.

Usage: editors.py THREADLAB. What is not there is not tested, and the script says so.
"""

import asyncio
import os
import shutil
import subprocess
import sys

from screen import ROOT, Failed, run

sys.path.insert(0, os.path.join(ROOT, "Tests/Views"))
import wheels  # noqa: E402

PROGRAM = """scenario "opposite"
mutex a, b
thread one { lock a { lock b { } } }
thread two { lock b { lock a { } } }
expect completes
"""


def neovim_shows_the_verdict_and_the_declaration(screen, program):
    if shutil.which("nvim") is None:
        print("skipped: Neovim is not installed")
        return
    screen.tmux("resize-window", "-x", "120", "-y", "40")
    with open(os.path.join(screen.folder.name, "opposite.lab"), "w") as file:
        file.write(PROGRAM)
    editor = f"nvim -u NONE -i NONE --cmd 'set rtp^={ROOT}/editors/vim' --cmd 'let g:threadlab_program = \"{program}\"' --cmd 'filetype plugin on'"
    screen.keys(f"cd {screen.folder.name} && HOME=$PWD {editor} opposite.lab", "Enter")
    screen.waits_for(r'scenario "opposite" run \| explore \| check: failed: deadlock')
    screen.waits_for(r"thread one.*not expected: deadlock")
    screen.keys("/lock a", "Enter", "w", "K")
    screen.waits_for(r"`?a`? is a mutex")
    screen.keys("Escape", "gd")
    # The place of the cursor.
    screen.waits_for(r"opposite\.lab +2,7 ")
    screen.keys(":lua vim.lsp.buf.rename('first')", "Enter")
    screen.waits_for(r"(?s)mutex first, b.*lock first \{ lock b.*lock b \{ lock first")
    screen.keys(":%s/lock b { lock first/lock first { lock b/", "Enter", ":w", "Enter")
    screen.waits_for(r'scenario "opposite" run \| explore \| check: passed, proved')
    screen.keys("gg", "\\", "l")
    screen.waits_for(r"3: check: passed, proved")
    screen.keys("1", "Enter")
    screen.waits_for(r"opposite\.lab  native")
    screen.keys(":qa!", "Enter")
    screen.waits_for(r"ready\$")


def the_extension_for_vs_code_speaks_with_the_server(screen, program):
    if shutil.which("node") is None:
        print("skipped: Node is not installed")
        return
    path = os.path.join(screen.folder.name, "opposite.lab")
    with open(path, "w") as file:
        file.write(PROGRAM)
    stand_in = os.path.join(ROOT, "Tests/Screen/vscode.js")
    extension = os.path.join(ROOT, "editors/vscode/extension.js")
    for server, wanted in [(program, "all is as it should be"), ("/no/such/threadlab", "a warning: threadlab lsp: spawn")]:
        ended = subprocess.run(["node", stand_in, extension, server, path], capture_output=True, text=True, timeout=60)
        if ended.returncode != 0 or wanted not in ended.stdout:
            raise Failed(f"with {server}: code {ended.returncode}\n{ended.stdout}\n{ended.stderr}")


def a_client_of_the_protocol_understands_every_answer(screen, program):
    """It reads each message by the types that are generated from the protocol's own description."""
    folder = wheels.folder()
    if folder is None:
        print("skipped: the client of the protocol cannot be fetched from PyPI")
        return
    sys.path.insert(0, folder)
    path = os.path.join(screen.folder.name, "opposite.lab")
    with open(path, "w") as file:
        file.write(PROGRAM)
    asyncio.run(asyncio.wait_for(speak(program, "file://" + path), 60))


async def speak(program, uri):
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    client = LanguageClient("threadlab's tests", "1")
    findings = asyncio.Event()
    errors = []

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _(published):
        if any("deadlock" in diagnostic.message for diagnostic in published.diagnostics):
            findings.set()

    client.report_server_error = lambda error, source: errors.append(error)
    await client.start_io(program, "lsp")
    begun = await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
    if begun.server_info is None or begun.server_info.name != "threadlab":
        raise Failed(f"the server does not say who it is: {begun}")
    client.initialized(types.InitializedParams())
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri=uri, language_id="lab", version=1, text=PROGRAM)))
    document = types.TextDocumentIdentifier(uri)
    place = types.Position(line=2, character=18)

    def check(condition, what):
        if not condition:
            raise Failed(what)

    hover = await client.text_document_hover_async(types.HoverParams(document, place))
    check("is a mutex" in hover.contents.value, f"hover: {hover}")
    definition = await client.text_document_definition_async(types.DefinitionParams(document, place))
    check(definition.range.start == types.Position(1, 6), f"definition: {definition}")
    references = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(include_declaration=True), document, place))
    check(len(references) == 3, f"references: {references}")
    highlights = await client.text_document_document_highlight_async(types.DocumentHighlightParams(document, place))
    check(len(highlights) == 3, f"highlights: {highlights}")
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    check([symbol.name for symbol in symbols] == ["a", "b", "one", "two"], f"symbols: {symbols}")
    renaming = await client.text_document_rename_async(types.RenameParams(document, place, "first"))
    check(len(renaming.changes[uri]) == 3, f"renaming: {renaming}")
    completions = await client.text_document_completion_async(types.CompletionParams(document, place))
    check({"a", "one", "lock"} <= {item.label for item in completions}, f"completions: {completions}")
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    edits = await client.text_document_formatting_async(types.DocumentFormattingParams(document, options))
    check(not edits, f"formatting: {edits}")
    await findings.wait()
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    check([lens.command.title for lens in lenses] == ["run", "explore", "check: failed: deadlock"], f"lenses: {lenses}")
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    check(not errors, f"the client reports: {errors}")


if __name__ == "__main__":
    run([
        neovim_shows_the_verdict_and_the_declaration,
        the_extension_for_vs_code_speaks_with_the_server,
        a_client_of_the_protocol_understands_every_answer,
    ], "editors", "usage: editors.py THREADLAB")
