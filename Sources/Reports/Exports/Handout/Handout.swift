import Diagnosis
import Text
import Trace

/// A sheet about one run for learners, on a page of A4: the program, the run's lanes, and lines on which to write what
/// each step does. The solution is the same page with the answers.
package struct Handout {
    package enum Side: CaseIterable {
        case task, solution
    }

    private let program: HandoutProgram
    private let trace: TraceDocument
    private let page: HandoutPage
    private let source: HandoutSource
    private let shown: ShownTrace
    /// Sentences about what does not fit on the page.
    package let notes: [String]

    /// The limit of lanes on a readable sheet.
    package static let mostThreads = 24

    /// - Parameter options: the sheet only uses the findings, and whether the steps inside built objects are shown.
    package init(_ trace: TraceDocument, _ program: HandoutProgram, _ options: ReportOptions) {
        self.program = program
        self.trace = trace
        var options = options
        options.ascii = false
        options.mostRows = nil
        options.foldsCycles = true
        let all = ShownTrace(trace, options)
        let columns = HandoutPage.width / HandoutPage.character
        let outcome = OutcomeText(trace.outcome, all.cast, columns: columns)
        let replay = all.cast.label(program.replay).pieces(within: HandoutPage.smallColumns).map(\.text)
        (source, page) = Self.layout(program.lines) {
            HandoutPage(source: $0.height, rows: all.excerpt.lineCount, outcome: outcome, replay: replay)
        }
        options.mostRows = page.mostRows
        // A failure cannot be understood without the end of the run.
        options.keptRows = trace.outcome?.kind == .completed ? .first : .ends
        shown = ShownTrace(trace, options)
        notes = Self.notes(shown, source)
    }

    /// Lays out the page. If the run does not fit below the program, the program gets less room, unless more of its
    /// lines would then be left out.
    private static func layout(
        _ lines: [HandoutProgram.Line], _ page: (HandoutSource) -> HandoutPage
    ) -> (HandoutSource, HandoutPage) {
        func fit(_ height: Int) -> (source: HandoutSource, page: HandoutPage) {
            let source = HandoutSource(lines, width: HandoutPage.width, mostHeight: height)
            return (source, page(source))
        }
        let wide = fit(HandoutPage.mostSource)
        guard !wide.page.isWhole else { return wide }
        let narrow = fit(HandoutPage.leastSource)
        return narrow.source.omitted > wide.source.omitted ? wide : narrow
    }

    private static func notes(_ shown: ShownTrace, _ source: HandoutSource) -> [String] {
        var left = 0
        for part in shown.excerpt.parts {
            switch part {
            case .omitted(let rows), .rest(let rows), .between(let rows, _), .end(let rows): left += rows.count
            case .beginning, .rows, .repeats: break
            }
        }
        var notes: [String] = []
        if left > 0 {
            notes.append(
                "\(left.grouped) of \(shown.excerpt.events.count.grouped) steps are not on the sheet.")
        }
        if source.omitted > 0 { notes.append("\(source.omitted.grouped) lines of the program do not fit on the page.") }
        return notes
    }

    /// The number of steps of the run.
    package var stepCount: Int { shown.excerpt.events.count }

    package func write(_ side: Side, to sink: inout ByteSink) {
        let rows = page.fitting(shown, side == .task ? .blank : .complete)
        var canvas = SVGCanvas(sink)
        canvas.begin(
            width: HandoutPage.fullWidth, height: HandoutPage.fullHeight, title: program.title, story: story(side),
            size: ("210mm", "297mm"), extraStyle: HandoutPage.style + source.style)
        for layer in SVGCanvas.Layer.allCases {
            canvas.begin(layer)
            writeHead(side, to: &canvas)
            source.write(x: HandoutPage.margin, y: HandoutPage.top, to: &canvas)
            canvas.text(explanation(side), x: HandoutPage.margin, y: page.lanes - 18, .note)
            canvas.beginPart(x: HandoutPage.margin - page.shift, y: page.lanes, scale: rows.scale)
            rows.lanes.write(to: &canvas)
            canvas.endPart()
            writeEnd(side, below: page.lanes + rows.lanes.end * rows.scale / 1000, to: &canvas)
            canvas.endLayer()
        }
        canvas.finish()
        sink = canvas.sink
    }

    private func story(_ side: Side) -> String {
        switch side {
        case .task: "A program, and the steps of one of its runs to fill in."
        case .solution: trace.outcome.map { "\($0.kind.rawValue): \($0.summary)" } ?? ""
        }
    }

    private func writeHead(_ side: Side, to canvas: inout SVGCanvas) {
        let title = shown.cast.label(program.title).clipped(to: side == .task ? 34 : 44)
        canvas.text(title.text, x: HandoutPage.margin, y: 58, .title)
        let model = trace.header.memoryModel.map { "memory model \($0)" }
        let details = shown.cast.label((program.details + [model].compactMap(\.self)).joined(separator: ", "))
        canvas.text(details.clipped(to: HandoutPage.smallColumns).text, x: HandoutPage.margin, y: 86, .small)
        switch side {
        case .task:
            canvas.text("Name", x: 470, y: 60, .plain)
            canvas.dots(from: 514, to: HandoutPage.margin + HandoutPage.width, y: 67)
        case .solution: canvas.text("Solution", x: HandoutPage.margin + HandoutPage.width - 36, y: 58, .head)
        }
    }

    private func explanation(_ side: Side) -> String {
        let isOutOfOrder = !WeakSteps.outOfOrder(in: trace).isEmpty
        switch side {
        case .task:
            return "Each row is a step of one thread. What does the thread do in it, and at which line?"
                + (isOutOfOrder ? " ◇: not the newest value." : "")
        case .solution:
            return isOutOfOrder
                ? "A band: the thread waits. An arrow leads from what a thread waits for or reads. ◇: not the newest value."
                : "A band: the thread waits. An arrow leads from what lets a thread continue to where it does."
        }
    }

    // MARK: - The end

    private func writeEnd(_ side: Side, below y: Int, to canvas: inout SVGCanvas) {
        switch side {
        case .task:
            canvas.text("How does the run end, and why?", x: HandoutPage.margin, y: y + HandoutPage.gap, .name)
            for line in 1...page.linesToWrite {
                canvas.dots(
                    from: HandoutPage.margin, to: HandoutPage.margin + HandoutPage.width,
                    y: y + HandoutPage.gap + 4 + line * HandoutPage.writingHeight)
            }
        case .solution:
            for (index, line) in page.outcome.enumerated() {
                canvas.text(
                    line.text, x: HandoutPage.margin + line.indent,
                    y: y + HandoutPage.gap + index * HandoutPage.textHeight, line.style)
            }
            for (index, line) in page.replay.enumerated() {
                canvas.text(
                    line, x: HandoutPage.margin,
                    y: HandoutPage.bottom - (page.replay.count - 1 - index) * HandoutPage.smallHeight, .small)
            }
        }
    }
}
