" Vim syntax file for threadlab's .lab language (docs/language.md)
if exists("b:current_syntax")
  finish
endif

syntax keyword labDeclaration scenario parameter shared atomic mutex rwlock semaphore condition thread func finally expect run with given task specification invariant
syntax keyword labStatement let var if else while for in repeat break continue return lock await assert note sleep yield spawn join detach reading writing progress
syntax keyword labModifier recursive checking writersFirst
syntax keyword labExpectation completes always never sometimes possible eventually outcomes linearizable warning under broken sc tso rc11 weak
syntax keyword labOrdering relaxed acquire release acqRel acqrel seqcst
syntax keyword labSpecial index choose
syntax keyword labFunction min max abs fence
syntax keyword labBoolean true false
syntax keyword labType Int Bool Duration

" Objects that are built of others (barrier, once, …): at the beginning of a statement only such a word has a name behind it.
syntax match labDeclaration "\%(^\|[{;]\)\s*\zs\l\w*\ze\s\+\h"
syntax match labNumber "\<\d[0-9A-Za-z_]*\%(\.\d\+[a-z]*\)\?\>"
syntax match labMember "\.\@<=\h\w*"
syntax match labEscape "\\[nt\"\\]" contained
syntax region labValue matchgroup=labEscape start="\\(" end=")" contained contains=TOP
syntax region labText start=+"+ skip=+\\"+ end=+"+ oneline contains=labEscape,labValue
syntax match labComment "//.*$" contains=@Spell
syntax match labDescription "///\%([^/].*\)\?$" contains=@Spell

highlight default link labDeclaration Structure
highlight default link labStatement Statement
highlight default link labModifier StorageClass
highlight default link labExpectation PreProc
highlight default link labOrdering Constant
highlight default link labSpecial Identifier
highlight default link labFunction Function
highlight default link labBoolean Boolean
highlight default link labType Type
highlight default link labNumber Number
highlight default link labMember Function
highlight default link labEscape SpecialChar
highlight default link labText String
highlight default link labComment Comment
highlight default link labDescription SpecialComment

let b:current_syntax = "lab"
