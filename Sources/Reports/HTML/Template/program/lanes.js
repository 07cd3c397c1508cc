// The run so far: a row for each step, a lane for each thread.
"use strict";
(() => {
  const { byId, element, history, tint } = lab;
  const box = byId("lanes");
  const shown = lab.data.threads.map((_, number) => number);

  /// A move in words: the words for the thread's next step in the state before it, the alternative that was chosen, and
  /// whether the thread then ended.
  function words(move) {
    if (move.thread < 0) return "time passes";
    const before = lab.thread(move.from, move.thread);
    const after = lab.thread(move.target, move.thread);
    return before.step + (move.label ? ", " + move.label : "") + (after.kind === "ended" ? ", and ends" : "");
  }

  function row(place) {
    const move = history.moveAt(place);
    const item = element("li");
    const button = element("button", undefined, "row");
    button.type = "button";
    button.append(element("span", String(place), "number"));
    const lanes = element("span", undefined, "marks");
    lanes.setAttribute("aria-hidden", "true");
    for (const number of shown) {
      const after = lab.thread(move.target, number);
      // "joins": the thread is not shown. It does not exist yet, or is the main thread, which only waits for others.
      const kind = lab.views.isShown(after, move.target) ? after.kind : "joins";
      const lane = element("span", undefined, "lane " + tint(number) + " " + kind);
      if (number === move.thread) lane.append(element("span", undefined, after.kind === "ended" ? "dot end" : "dot"));
      lanes.append(lane);
    }
    const text = element("span", undefined, "words");
    if (move.thread >= 0) text.append(element("b", lab.data.threads[move.thread], tint(move.thread)), " ");
    text.append(words(move));
    const line = move.thread < 0 ? 0 : lab.thread(move.from, move.thread).line;
    if (line) text.append(element("span", " :" + line, "place"));
    // At the end of the row: how the run ended; or the first words about what is wrong with the state, "data race".
    const end = lab.end(move.target);
    if (end) text.append(element("strong", end.kind, "end " + end.tone));
    else if (lab.trouble(move.target)) text.append(element("strong", lab.trouble(move.target).split(/:| on /)[0].toLowerCase(), "end bad"));
    button.append(lanes, text);
    button.addEventListener("click", () => history.go(place));
    item.append(button);
    return item;
  }

  let drawn = [];
  history.onChange(() => {
    const moves = Array.from({ length: history.length }, (_, index) => history.moveAt(index + 1));
    const same = moves.findIndex((move, index) => drawn[index] !== move);
    const keep = same < 0 ? Math.min(moves.length, drawn.length) : same;
    while (box.children.length > keep) box.lastChild.remove();
    for (let place = keep + 1; place <= moves.length; place++) box.append(row(place));
    drawn = moves;
    const hasMain = moves.some((move) => move.thread === 0 || lab.views.isShown(lab.thread(move.target, 0), move.target));
    box.classList.toggle("noMain", !hasMain);
    [...box.children].forEach((item, index) => {
      const button = item.firstChild;
      button.classList.toggle("later", index >= history.position);
      if (index === history.position - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    byId("noSteps").hidden = moves.length > 0;
    box.hidden = moves.length === 0;
    const current = box.children[history.position - 1];
    if (!current) { box.scrollTop = 0; return; }
    const top = current.offsetTop;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + current.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + current.offsetHeight - box.clientHeight;
  });

  lab.stepWords = words;
})();
