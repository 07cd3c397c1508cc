// The program's text, with the threads at their lines.
"use strict";
(() => {
  const { byId, element, history, tint } = lab;
  const source = byId("source");
  const code = element("div", undefined, "code");
  const lines = lab.data.lines.map((text, index) => {
    const who = element("span", undefined, "who");
    const cells = [who, element("span", String(index + 1), "number"), element("span", text || " ", "text")];
    if (index + 1 >= lab.data.firstLine) code.append(...cells);
    return cells;
  });
  source.append(code);

  /// Scrolls within the box, without scrolling the page.
  function reveal(cell) {
    const top = cell.offsetTop, margin = 2 * cell.offsetHeight;
    if (top - margin < source.scrollTop) source.scrollTop = top - margin;
    else if (top + 2 * margin > source.scrollTop + source.clientHeight) source.scrollTop = top + 2 * margin - source.clientHeight;
  }

  history.onChange(() => {
    const state = history.state;
    for (const [who, number, text] of lines) {
      who.replaceChildren();
      for (const cell of [who, number, text]) cell.classList.remove("here", "now");
    }
    const last = history.last ? history.last.thread : -1;
    for (const thread of lab.threads(state)) {
      const cells = lines[thread.line - 1];
      if (!cells || thread.kind === "ended" || !lab.views.isShown(thread, state)) continue;
      const mark = element("span", String(thread.number), "at " + tint(thread.number) + " " + thread.kind);
      mark.title = thread.name;
      mark.setAttribute("aria-label", thread.name + " is here");
      mark.setAttribute("role", "img");
      cells[0].append(mark);
      for (const cell of cells) cell.classList.add("here");
      if (thread.number === last) for (const cell of cells) cell.classList.add("now");
    }
    const first = lines.find((cells) => cells[0].classList.contains("now"))
      || lines.find((cells) => cells[0].classList.contains("here"));
    if (first) reveal(first[1]);
  });
})();
