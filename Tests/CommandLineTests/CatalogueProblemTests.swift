import Testing

/// Mistakes in the list of scenarios that a program is built with.
@Suite struct CatalogueProblemTests {
    @Test(arguments: [
        ("name", "its name 'Bad Name' must be lowercase words with hyphens"),
        ("twice", "another scenario is called 'mishap' too"),
        ("flag", "the parameter 'quiet' is a flag, which can only be switched on"),
        ("letters", "the parameter 'größe' makes no option"),
        ("clash", "two parameters make the option '--thread-count': rename one"),
        ("parameter", "the command line has an option '--seed': rename the parameter"),
    ]) func `a mistake in the list is reported at the start, with its place`(mistake: String, sentence: String) throws {
        try plugin("show").with("LAB_PLUGIN_MISTAKE", mistake).run().exits(with: 3).printsNothing()
            .complainsInOneLine(about: ".swift): \(sentence)")
    }
}
