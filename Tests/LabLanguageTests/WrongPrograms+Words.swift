extension WrongPrograms {
    /// Characters, numbers, texts, comments.
    static let words = [
        #"""
        scenario "quotes of a word processor"
        thread a { note “hello” }
        //!             ^ error: the character '“' has no meaning here | write '"'
        //!              ^~~~~ error: expected a text, found 'hello' | write 'note "\(hello)"'
        //!                   ^ error: the character '”' has no meaning here | write '"'
        """#,
        #"""
        scenario "signs of a mathematician"
        shared x = 0
        thread a { if x ≤ 3 { x = 1 } }
        //!             ^ error: the character '≤' has no meaning here | write '<='
        //!               ^ error: expected '{', found '3'
        """#,
        #"""
        scenario "numbers"
        shared a = 9223372036854775808, b = 1_000
        //!        ^~~~~~~~~~~~~~~~~~~ error: '9223372036854775808' does not fit into 64 bits | the largest number is 9223372036854775807
        shared e = 0xG
        //!        ^~~ error: '0xG' is not a number
        shared f = 1.5
        //!        ^~~ error: '1.5': a fraction needs a unit of time | for example 1.5s
        shared g = -9_223_372_036_854_775_809
        //!         ^~~~~~~~~~~~~~~~~~~~~~~~~ error: '9_223_372_036_854_775_809' does not fit into 64 bits | the largest number is 9223372036854775807
        thread t { sleep 10min }
        //!              ^~~~~ error: 'min' is not a unit of time | units are ns, us, ms, s and m
        thread u { sleep 9999999999999s }
        //!              ^~~~~~~~~~~~~~ error: '9999999999999s' is longer than 292 years
        thread v { sleep 1.5ns }
        //!              ^~~~~ error: '1.5ns' is not a whole number of nanoseconds
        thread w { sleep 0.000_000_000_1s }
        //!              ^~~~~~~~~~~~~~~~ error: '0.000_000_000_1s' is not a whole number of nanoseconds
        thread x { sleep 1h }
        //!              ^~ error: 'h' is not a unit of time | units are ns, us, ms, s and m
        """#,
        #"""
        scenario "texts"
        shared x = 0
        thread a {
            note "no end
        //!      ^~~~~~~ error: this text is not terminated | end it with '"' on the same line
            note "strange \q escape"
        //!               ^~ error: '\q' is not a valid escape in a text | valid escapes are \n, \t, \", \\ and \( )
            note "empty \()"
        //!             ^~~ error: '\( )' must contain a value
            note "open \(x"
        //!               ^ error: '\(' has no ')' in this text | a text cannot be nested inside '\( )'
            note "two \(x x)"
        //!               ^ error: expected ')', found 'x'
            note "half \(x // + 1)"
        //!                ^~~~~~ error: a comment is not possible inside '\( )'
            let t = "text"
        //!         ^~~~~~ error: a text is allowed only after 'note', and after the condition of 'assert' | to show a text, write 'note "x is \(x)"'
        }
        """#,
        #"""
        scenario "a name \q"
        //!              ^~ error: '\q' is not a valid escape in a text | valid escapes are \n, \t, \", \\ and \( )
        thread t { yield }
        """#,
        #"""
        scenario "a name \(x)"
        //!      ^~~~~~~~~~~~~ error: a scenario's name cannot contain a value | to show a backslash, write '\\'
        shared x = 0
        thread t { x = x }
        """#,
        #"""
        scenario "a name\nof two lines"
        //!      ^~~~~~~~~~~~~~~~~~~~~~ error: a scenario's name is one line
        thread t { yield }
        """#,
        "scenario \"lines of other systems\"\n// a comment\rthread t { yield }\n"
            + "//!         ^ error: a carriage return alone does not end a line"
            + " | end lines with a line feed, or with a carriage return and a line feed\nthread u { yield }\n",
        #"""
        scenario "comments of other languages"
        /* a block */
        //!@1 error: comments begin with '//' | write '//' before each line
        # a shell's
        //!@1 error: expected a declaration, found '#' | comments begin with '//'
        """#,
    ]
}
