/// A script for a shell that completes the tool's command lines. It contains no knowledge of the tool: it passes the
/// words up to the cursor to `threadlab __complete -- WORDS...`, and shows the lines that this prints
/// (`Completion.line`).
package enum CompletionScript: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The beginning of a line that asks the shell to complete paths.
    static let filesMark = ":files"
    /// The command that prints completions. Only the scripts use it, so help does not list it.
    static let hiddenCommand = "__complete"
    /// The command that prints the manual page. `make install` uses it, and help does not list it either.
    static let manPageCommand = "__man"

    package func text(tool: String) -> String {
        switch self {
        case .bash: Self.bash(tool)
        case .zsh: Self.zsh(tool)
        case .fish: Self.fish(tool)
        }
    }

    private static func bash(_ tool: String) -> String {
        #"""
        # bash completion for \#(tool). Once: source <(\#(tool) --completion bash)
        _\#(tool)() {
            local tool=${1/#\~/$HOME} beginning=$2
            local line=${COMP_LINE:0:COMP_POINT} words=() word gap i

            # Bash has also split words at '=' and ':'. What touches on the line is one word again.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                gap=${line%%[![:space:]]*}
                line=${line#"$gap"}
                word=${COMP_WORDS[i]}
                ((i == COMP_CWORD)) && word=$line
                line=${line#"$word"}
                if [[ i -gt 0 && -z $gap ]]; then words[-1]+=$word; else words+=("$word"); fi
            done
            words[-1]=${words[-1]#[\"\']}  # An open quote, which bash keeps.

            # The part of the last word that bash keeps: up to its last '=' or ':'.
            local kept=${words[-1]%"$beginning"} text
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ $line == \#(filesMark)* ]]; then
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r text; do COMPREPLY+=("$text"); done < <(
                        { compgen -d -- "$beginning"; compgen -f -X "!*${line#\#(filesMark)}" -- "$beginning"; } | sort -u)
                elif [[ $line == *$'\t'* ]]; then
                    text=${line%%$'\t'*}
                    COMPREPLY+=("${text#"$kept"}")
                fi
            done < <("$tool" \#(hiddenCommand) -- "${words[@]:1}" 2>/dev/null)
        }
        complete -F _\#(tool) \#(tool)

        """#
    }

    private static func zsh(_ tool: String) -> String {
        #"""
        #compdef \#(tool)
        # zsh completion for \#(tool). Once: source <(\#(tool) --completion zsh)
        # Or for good: save it as _\#(tool) in a directory of $fpath.
        _\#(tool)() {
            local line
            local -a candidates files

            for line in "${(@f)$(${~words[1]} \#(hiddenCommand) -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
                if [[ $line == \#(filesMark)* ]]; then
                    files=(-g "*${line#\#(filesMark)}")
                elif [[ $line == *$'\t'* ]]; then
                    candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
                fi
            done

            (( $#candidates )) && _describe \#(tool) candidates
            if (( $#files )); then
                compset -P '--*='
                _files $files
            fi
        }

        # As a file of $fpath, this is the body of the function itself.
        if [[ $funcstack[1] == _\#(tool) ]]; then
            _\#(tool) "$@"
        else
            compdef _\#(tool) \#(tool)
        fi

        """#
    }

    private static func fish(_ tool: String) -> String {
        #"""
        # fish completion for \#(tool). Once: \#(tool) --completion fish | source
        # Or for good: save it as ~/.config/fish/completions/\#(tool).fish
        function __\#(tool)_complete
            set --local words (commandline -opc)
            set --local last (commandline -ct | string trim --chars='"\'')
            set --local tool (string replace --regex '^~' -- $HOME $words[1])
            for line in ($tool \#(hiddenCommand) -- $words[2..-1] "$last" 2>/dev/null)
                if string match --quiet -- '\#(filesMark)*' "$line"
                    set --local ending (string replace -- \#(filesMark) '' "$line" | string escape --style=regex)
                    set --local option (string match --regex -- '^--[^=]*=' "$last")
                    for path in (__fish_complete_path (string replace -- "$option" '' "$last"))
                        string match --quiet --regex -- "^[^\t]*(/|$ending)(\t|\$)" "$path"; and echo "$option$path"
                    end
                else
                    echo "$line"
                end
            end
        end
        complete --command \#(tool) --no-files --arguments '(__\#(tool)_complete)'

        """#
    }
}
