-- Neovim speaks with `threadlab lsp` about each .lab file, if threadlab is installed: errors while typing, hover, go to
-- definition, rename, completion, formatting, and above a program "run", "explore" and "check" with its verdict.
-- `let g:threadlab_lsp = v:false` switches it off; `let g:threadlab_program = "…"` names another program.
if vim.g.threadlab_lsp == false or not vim.lsp then return end
local program = vim.g.threadlab_program or "threadlab"
if vim.fn.executable(program) ~= 1 then return end

-- One server for all files of a session.
if not vim.g.threadlab_client or not vim.lsp.get_client_by_id(vim.g.threadlab_client) then
  for _, command in ipairs({ "run", "explore", "check" }) do
    -- A command above a program: its output is shown in a terminal below the text.
    vim.lsp.commands["threadlab." .. command] = function(chosen)
      vim.cmd("botright new")
      vim.fn.termopen({ program, command, chosen.arguments[1] })
    end
  end
  -- The verdict arrives when the check has ended: with its findings.
  local function attached(_, buffer)
    local group = vim.api.nvim_create_augroup("threadlab", { clear = false })
    vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
    vim.api.nvim_create_autocmd({ "BufEnter", "BufWritePost", "InsertLeave", "DiagnosticChanged" }, {
      group = group, buffer = buffer, callback = function() vim.lsp.codelens.refresh() end,
    })
    vim.lsp.codelens.refresh()
  end
  vim.g.threadlab_client = vim.lsp.start_client({
    name = "threadlab", cmd = { program, "lsp" }, on_attach = attached,
  })
end
local buffer = vim.api.nvim_get_current_buf()
if not vim.g.threadlab_client or not vim.lsp.buf_attach_client(buffer, vim.g.threadlab_client) then return end

vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
local function map(keys, action, what)
  vim.keymap.set("n", keys, action, { buffer = buffer, desc = what })
end
map("K", vim.lsp.buf.hover, "what the word means")
map("gd", vim.lsp.buf.definition, "where the name is declared")
map("gr", vim.lsp.buf.references, "where the name is used")
map("<LocalLeader>r", vim.lsp.buf.rename, "give it another name")
map("<LocalLeader>f", function() vim.lsp.buf.format() end, "format the file")
map("<LocalLeader>l", vim.lsp.codelens.run, "run, explore or check the program")
