import Diagnosis
import Trace
import Views

/// A run as a series of small pictures for a slide, in SVG: one after each step. A picture shows which threads run and
/// which wait, the values of objects, and the threads that hold them.
package struct FilmStrip {
    private let shown: ShownTrace
    private let cast: FilmCast
    private let pictures: [FilmPicture]
    private let layout: FilmLayout
    private let outcome: OutcomeText

    /// - Parameter options: the strip uses the findings, whether steps inside built objects are shown, and whether
    ///   places have their source.
    package static func write(_ trace: TraceDocument, _ options: ReportOptions, to sink: inout ByteSink) {
        let strip = FilmStrip(trace, options)
        strip.write(to: &sink)
    }

    private init(_ trace: TraceDocument, _ options: ReportOptions) {
        var options = options
        options.ascii = false
        options.mostRows = nil
        options.foldsCycles = true
        if options.findings.isEmpty { options.findings = Self.findings(trace) }
        let shown = ShownTrace(trace, options)
        self.shown = shown
        let cast = FilmCast(shown)
        self.cast = cast
        let model = RunModel(trace)
        pictures = cast.steps.map { FilmPicture($0, model, shown, cast) }
        layout = FilmLayout(
            pictures: pictures.count, rows: max(cast.threads.count, cast.objects.count),
            notes: cast.notes.isEmpty ? 0 : 1)
        outcome = OutcomeText(trace.outcome, shown.cast, columns: layout.width / FilmLayout.character)
    }

    /// The findings of the run, whose steps are marked. A trace does not contain them, so its events are examined.
    private static func findings(_ trace: TraceDocument) -> [Finding] {
        var examination = Examination(judgesLockOrder: false)
        examination.consume(trace.events[...])
        return examination.findings(in: Names(trace))
    }

    private func write(to sink: inout ByteSink) {
        let title = shown.cast.title.text
        var canvas = SVGCanvas(sink)
        canvas.begin(
            width: layout.width, height: layout.end + (outcome.lines.count + 1) * FilmLayout.lineHeight + 12,
            title: title,
            story: shown.trace.outcome.map { "\($0.kind.rawValue): \($0.summary)" } ?? "",
            extraStyle: SVGCanvas.filmStyle,
            extraMarker: SVGCanvas.filmMarker)
        for layer in SVGCanvas.Layer.allCases {
            canvas.begin(layer)
            canvas.text(title, x: FilmLayout.margin, y: 30, .title)
            canvas.text(cast.notes.joined(separator: " "), x: FilmLayout.margin, y: 56, .note)
            for (index, picture) in pictures.enumerated() { write(picture, at: layout.corner(index), to: &canvas) }
            canvas.text(Self.legend, x: FilmLayout.margin, y: layout.end, .note)
            for (index, line) in outcome.lines.enumerated() {
                canvas.text(
                    line.text, x: FilmLayout.margin + line.indent,
                    y: layout.end + 6 + (index + 1) * FilmLayout.lineHeight, line.style)
            }
            canvas.endLayer()
        }
        canvas.finish()
        sink = canvas.sink
    }

    private static let legend =
        "Arrows: from what a thread holds to the thread; dashed, from a thread to what it waits for. A ring: the thread took the step. Gray: it has ended."

    // MARK: - A picture

    private func write(_ picture: FilmPicture, at corner: (x: Int, y: Int), to canvas: inout SVGCanvas) {
        canvas.frame(
            x: corner.x, y: corner.y, layout.frameWidth, layout.frameHeight,
            isMarked: picture.isMarked || isFailure(picture))
        for (place, figure) in picture.figures.enumerated() where figure.look != .absent {
            let name = shown.cast.thread(cast.threads[place])
            let lane = Int(cast.threads[place].index)
            let center = layout.figure(place, in: corner)
            canvas.figure(x: center.x, y: center.y, figure.look, acts: place == picture.actor, lane: lane)
            canvas.text(
                name.clippedInMiddle(to: FilmLayout.nameColumns, ascii: false).text, x: center.x,
                y: center.y + FilmLayout.belowFigure, .figure, lane: lane)
            switch figure.waitsFor {
            case nil: break
            case .object(let object):
                canvas.wait(from: center, to: layout.box(object, in: corner))
            case .thread(let thread): canvas.wait(from: center, toFigure: layout.figure(thread, in: corner))
            }
        }
        for (place, box) in picture.boxes.enumerated() {
            let left = layout.box(place, in: corner)
            let name = shown.cast.object(cast.objects[place])
            canvas.box(
                x: left.x, y: left.y, name.clippedInMiddle(to: FilmLayout.boxColumns, ascii: false).text,
                shown.cast.label(box.words).clipped(to: FilmLayout.boxColumns).text)
            for holder in box.holders { canvas.hold(from: left, to: layout.figure(holder, in: corner)) }
        }
        writeCaption(picture, at: layout.caption(in: corner), to: &canvas)
    }

    /// Whether the picture is the last one of a failed run in which no step is marked. It is then drawn as the failure.
    private func isFailure(_ picture: FilmPicture) -> Bool {
        guard let outcome = shown.trace.outcome, outcome.kind != .completed else { return false }
        return picture.row == pictures.last?.row && !pictures.contains(where: \.isMarked)
    }

    private func writeCaption(_ picture: FilmPicture, at place: (x: Int, y: Int), to canvas: inout SVGCanvas) {
        let lane = Int(picture.event.thread.index)
        let name = shown.cast.thread(picture.event.thread).clippedInMiddle(to: 20, ascii: false)
        canvas.text("\(picture.row + 1)  \(name.text)", x: place.x, y: place.y, .name, lane: lane)
        let site = shown.places[picture.event.site].text
        let words = shown.label(picture.index).text
        let text = shown.cast.label(words + (site.isEmpty ? "" : "  \(site)"))
        // Bold print is wider.
        var pieces = text.pieces(within: FilmLayout.captionColumns - (picture.isMarked ? 3 : 0))
        if pieces.count > 2 { pieces = [pieces[0], pieces[1] + shown.cast.label("…")] }
        for (index, piece) in pieces.enumerated() {
            canvas.text(
                piece.text, x: place.x, y: place.y + (index + 1) * FilmLayout.captionHeight,
                picture.isMarked ? .failure : .plain)
        }
    }
}
