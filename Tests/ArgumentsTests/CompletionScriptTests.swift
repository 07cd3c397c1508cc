import Foundation
import Testing

@testable import Arguments

/// The scripts are run in the shells themselves, against a `threadlab` that reports the words it was given.
@Suite struct CompletionScriptTests {
    @Test(arguments: CompletionScript.allCases.filter(Shell.exists))
    func `the script is correct in its shell's grammar`(script: CompletionScript) throws {
        let result = try Shell.run(script, ["-n"], script.text(tool: "threadlab"))
        #expect(result == "")
    }

    @Test(
        arguments: [
            // line, bash's own words, bash's last word, candidates; words handed over, replies
            ("threadlab ", "threadlab ''", "", "run", "__complete|--||", "run"),
            ("threadlab run dea", "threadlab run dea", "dea", "deadlock", "__complete|--|run|dea|", "deadlock"),
            (
                "threadlab run --f=", "threadlab run --f '='", "", "--f=text --f=json", "__complete|--|run|--f=|",
                "text json"
            ),
            ("threadlab run --f=te", "threadlab run --f '=' te", "te", "--f=text", "__complete|--|run|--f=te|", "text"),
            ("threadlab run --f=te x", "threadlab run --f '=' te x", "x", "xy", "__complete|--|run|--f=te|x|", "xy"),
            ("threadlab run a:b", "threadlab run a : b", "b", "a:bc", "__complete|--|run|a:b|", "bc"),
            ("threadlab run 'de", "threadlab run \\'de", "de", "dead", "__complete|--|run|de|", "dead"),
        ])
    func `bash hands over the words as they were typed, and replaces only what it calls the last word`(
        line: String, words: String, last: String, candidates: String, handed: String, replies: String
    ) throws {
        let script = """
            threadlab() { printf '%s|' "$@" >&2; for word in \(candidates); do printf '%s\\tsense\\n' "$word"; done; }
            \(CompletionScript.bash.text(tool: "threadlab").replacing("2>/dev/null)", with: "2>/proc/$$/fd/1)"))
            COMP_LINE="\(line)" COMP_POINT=${#COMP_LINE} COMP_WORDS=(\(words))
            COMP_POINT=${#COMP_LINE} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _threadlab threadlab "\(last)" run
            echo; echo "${COMPREPLY[*]}"
            """
        #expect(try Shell.run(.bash, [], script) == "\(handed)\n\(replies)\n")
    }

    @Test func `bash completes paths itself when asked to`() throws {
        let script = """
            threadlab() { echo :files; }
            \(CompletionScript.bash.text(tool: "threadlab"))
            cd /; COMP_LINE="threadlab run --f=us" COMP_WORDS=(threadlab run --f = us) COMP_CWORD=4
            COMP_POINT=${#COMP_LINE}; _threadlab threadlab us =; echo "${COMPREPLY[*]}"
            """
        #expect(try Shell.run(.bash, [], script) == "usr\n")
    }

    @Test func `bash offers files with the requested ending, and folders, in addition to names`() throws {
        let script = """
            threadlab() { printf 'another\\tsense\\n:files.lab\\n'; }
            \(CompletionScript.bash.text(tool: "threadlab"))
            cd "$(mktemp -d)"; touch a.lab a.txt alab b.lab; mkdir 'a b' b
            COMP_LINE="threadlab run a" COMP_WORDS=(threadlab run a) COMP_CWORD=2
            COMP_POINT=${#COMP_LINE}; _threadlab threadlab a run; printf '%s|' "${COMPREPLY[@]}"; rm -r "$PWD"
            """
        #expect(try Shell.run(.bash, [], script) == "another|a b|a.lab|")
    }

    @Test(.enabled(if: Shell.exists(.zsh)))
    func `zsh shows words with their descriptions`() throws {
        let script = """
            compdef() { : }
            _describe() { print -rl -- "${(@P)2}" }
            compset() { print compset }
            _files() { print files $@ }
            threadlab() { printf '%s|' "$@" >&2; printf 'a:b\\tsense of it\\n:files.lab\\n'; }
            \(CompletionScript.zsh.text(tool: "threadlab").replacing("2>/dev/null", with: "2>/proc/$$/fd/1"))
            words=(threadlab run 'a\\ b' --f=te) CURRENT=4 PREFIX=--f=t
            _threadlab
            """
        #expect(
            try Shell.run(.zsh, ["-f"], script)
                == "__complete|--|run|a b|--f=t|a\\:b:sense of it\ncompset\nfiles -g *.lab\n")
    }

    @Test(
        .enabled(if: Shell.exists(.fish)))
    func `fish offers files with the requested ending, and folders, in addition to names`() throws {
        let script = """
            function threadlab
                printf 'another\\tsense\\n:files.lab\\n'
            end
            \(CompletionScript.fish.text(tool: "threadlab"))
            cd (mktemp -d); touch a.lab a.txt alab b.lab; mkdir 'a b' b
            complete -C "threadlab run a" | string replace --regex '\\t.*' ''
            rm -r $PWD
            """
        #expect(try Shell.run(.fish, ["--no-config"], script) == "a b/\na.lab\nanother\n")
    }

    @Test(
        .enabled(if: Shell.exists(.fish)),
        arguments: [
            ("threadlab run ''", "run||", "one\tsense\ntwo\tsense\n"),
            ("threadlab run ", "run||", "one\tsense\ntwo\tsense\n"),
            ("threadlab 'a b' o", "a b|o|", "one\tsense\n"),
            ("threadlab --f=/us", "--f=/us|", "--f=/usr/\n"),
        ])
    func `fish shows words with their descriptions, and paths behind '='`(line: String, handed: String, shown: String)
        throws
    {
        let script = """
            function threadlab
                set --global handed $argv
                if string match --quiet -- '*=*' "$argv"
                    echo :files
                else
                    printf 'one\\tsense\\ntwo\\tsense\\n'
                end
            end
            \(CompletionScript.fish.text(tool: "threadlab"))
            complete -C "\(line)"
            printf '%s|' $handed
            """
        #expect(try Shell.run(.fish, ["--no-config"], script) == "\(shown)__complete|--|\(handed)")
    }
}

private enum Shell {
    static func path(_ shell: CompletionScript) -> String { "/usr/bin/\(shell.rawValue)" }

    static func exists(_ shell: CompletionScript) -> Bool { FileManager.default.isExecutableFile(atPath: path(shell)) }

    /// What the shell prints, on either stream. A shell that hangs is ended after 20 seconds.
    static func run(_ shell: CompletionScript, _ options: [String], _ script: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "threadlab-\(UUID()).\(shell.rawValue)")
        try script.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["20", path(shell)] + options + [file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
