import Trace

/// A page of a course for a browser: text, questions whose answers can be revealed, and links to other pages. A policy
/// in it allows only its own script and style, so it needs no network and no server.
package struct SitePage {
    package var title: String
    /// The browser's key for the reader's progress, the same for all pages of a course.
    package var course: String
    /// The page's name in the reader's progress: the lesson's name.
    package var name: String
    /// The page's text, in HTML.
    package var content: String
    package var previous: ProgramPage.Link?
    package var next: ProgramPage.Link?

    package init(title: String, course: String, name: String, content: String) {
        self.title = title
        self.course = course
        self.name = name
        self.content = content
    }

    package func write(to sink: inout ByteSink) {
        Self.template.write(
            [
                "title": Self.safe(title), "course": Self.safe(course), "name": Self.safe(name),
                "content": Array(content.utf8), "previous": Self.link(previous, "prev", "← "),
                "next": Self.link(next, "next", "", " →"),
            ], to: &sink)
    }

    private static let template = PageTemplate(
        "site.html", styles: ["colors.css", "site.css"], scripts: ["site/questions.js", "site/progress.js"])

    private static func safe(_ text: String) -> [UInt8] { Array(Label(text).text.escapedForXML.utf8) }

    private static func link(
        _ link: ProgramPage.Link?, _ relation: String, _ before: String, _ after: String = ""
    ) -> [UInt8] {
        guard let link else { return [] }
        let words = Label(link.text).text.escapedForXML
        return Array(
            "<a rel=\"\(relation)\" href=\"\(link.address.escapedForXML)\">\(before)\(words)\(after)</a>".utf8)
    }
}

/// A question on a page: options to choose from, and the text that is shown afterwards.
package struct SiteQuestion {
    package struct Option {
        /// The option, in HTML.
        let text: String
        let isRight: Bool
        /// The command that replays a run which shows that the option is possible, in HTML. Nil: there is none.
        let evidence: String?

        package init(text: String, isRight: Bool, evidence: String?) {
            self.text = text
            self.isRight = isRight
            self.evidence = evidence
        }
    }

    /// The number, from 1.
    package var number: Int
    /// The question, in HTML.
    package var text: String
    package var options: [Option]
    /// Whether exactly one option can be chosen.
    package var isOneOfMany: Bool
    /// Why the right options are right, in HTML.
    package var reason: String

    package init(number: Int, text: String, options: [Option], isOneOfMany: Bool, reason: String) {
        self.number = number
        self.text = text
        self.options = options
        self.isOneOfMany = isOneOfMany
        self.reason = reason
    }

    /// The question as a form. Without a script the answer can still be opened.
    package var html: String {
        let kind = isOneOfMany ? "radio" : "checkbox"
        var html =
            "<form class=\"question\" data-number=\"\(number)\"><fieldset><legend>Question \(number). \(text)</legend>\n"
        for (index, option) in options.enumerated() {
            html +=
                "<label><input type=\"\(kind)\" name=\"q\(number)\" value=\"\(index)\" data-right=\"\(option.isRight)\"> "
            html += "<span>\(option.text)</span></label>\n"
        }
        html += "<p class=\"buttons\"><button type=\"submit\">Check</button></p>"
        html += "<p class=\"verdict\" role=\"status\" aria-live=\"polite\"></p></fieldset>\n"
        html += "<details class=\"answer\"><summary>Answer</summary><ul>\n"
        for option in options {
            html +=
                "<li><span class=\"\(option.isRight ? "yes" : "no")\">\(option.isRight ? "Yes" : "No")</span> \(option.text)"
            html += (option.evidence.map { "<br><code class=\"command\">\($0)</code>" } ?? "") + "</li>\n"
        }
        return html + "</ul>\n<p>\(reason)</p></details></form>\n"
    }
}
