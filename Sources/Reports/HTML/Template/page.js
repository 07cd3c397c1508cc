// The script of a run's page: lets the reader move through the steps, and draws the state after the chosen step as
// lanes, tables and marked lines of source. threadlab has computed all that is shown: this script only applies the
// changes of each step to a row of numbers (a "state"), and looks up the words for the numbers. Text from the program
// only ever becomes text, never markup.
"use strict";
(() => {
  const run = JSON.parse(document.getElementById("run").textContent);
  const steps = run.steps.text.length;
  const threadCount = run.threads.length;
  /// The raw values of `StepMark` (LaneGraph.swift).
  const MARKS = { step: 0, wait: 1, end: 2, failure: 3, older: 4 };
  /// The steps of the findings.
  const STORY = new Set(run.findings.flatMap((finding) => finding.steps));
  const byId = (id) => document.getElementById(id);

  // ---- States. A row has three numbers for each thread: an index of its state, an index of its site, and the step
  // with which its wait or sleep began (0: none on the page). Then it has one number for each object: an index of its
  // state.

  /// A state is kept after each multiple of this many steps, so that going back is fast.
  const EVERY = 256;
  const kept = [Int32Array.from(run.start)];

  function apply(state, changes) {
    for (let i = 0; i < changes.length; i += 2) state[changes[i]] = changes[i + 1];
  }

  function stateAfter(step) {
    const place = Math.min(Math.floor(step / EVERY), kept.length - 1);
    const state = kept[place].slice();
    for (let i = place * EVERY; i < step; i++) {
      apply(state, run.changes[i]);
      if ((i + 1) % EVERY === 0 && kept.length === (i + 1) / EVERY) kept.push(state.slice());
    }
    return state;
  }

  const threadState = (state, thread) => run.threadStates[state[3 * thread]];
  const siteOf = (state, thread) => run.sites[state[3 * thread + 1]];
  const sinceOf = (state, thread) => state[3 * thread + 2];
  const objectState = (state, object) => run.objectStates[state[3 * threadCount + object]];
  const color = (thread) => "t" + (thread % 8);
  /// A site as text: its line, after the name of its file if there are several files.
  const place = (site) => (site ? (run.files.length > 1 ? run.files[site[0]].name : "") + ":" + site[1] : "");

  // ---- The step shown, and what is filtered out.

  let position = 0;
  let rowHeight = 24;
  const hiddenThreads = new Set();
  const hiddenObjects = new Set();
  let rows = [];

  function filter() {
    rows = [];
    for (let step = 1; step <= steps; step++) {
      const thread = run.steps.thread[step - 1];
      const object = run.steps.object[step - 1];
      if (!hiddenThreads.has(thread) && !hiddenObjects.has(object)) rows.push(step);
    }
    const hidden = hiddenThreads.size + hiddenObjects.size;
    byId("filtered").textContent = hidden ? "(" + rows.length + " of " + steps + " steps)" : "…";
  }

  /// The number of shown rows up to and including this step.
  function rank(step) {
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle] <= step) low = middle + 1; else high = middle;
    }
    return low;
  }

  /// Shows the state after this step.
  function go(step) {
    position = Math.max(0, Math.min(steps, step));
    show();
    reveal();
  }

  /// Moves this many shown rows forward, or back if negative.
  function move(count) {
    const row = Math.max(0, Math.min(rows.length, rank(position) + count));
    go(row === 0 ? 0 : rows[row - 1]);
  }

  // ---- Views of one state.

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  const threadRows = run.threads.map((name, thread) => {
    const row = element("tr");
    const head = element("th", name, "short " + color(thread));
    head.scope = "row";
    row.append(head, element("td", "", "state"), element("td"));
    byId("threads").tBodies[0].append(row);
    return row;
  });

  const objectRows = run.objects.map(([name, kind]) => {
    const row = element("tr");
    const head = element("th", name);
    head.scope = "row";
    row.append(head, element("td", kind), element("td"), element("td"), element("td"));
    byId("objects").tBodies[0].append(row);
    return row;
  });

  function setText(cell, text) {
    if (cell.textContent !== text) cell.textContent = text;
  }

  function showThreads(state, current) {
    threadRows.forEach((row, thread) => {
      const [activity, words, holds, isPresent] = threadState(state, thread);
      const site = siteOf(state, thread);
      const since = sinceOf(state, thread);
      row.className = (thread === current ? "now " : "") + activity;
      row.hidden = hiddenThreads.has(thread);
      const lasts = since > 0 && (activity === "waiting" || activity === "asleep");
      const where = activity !== "waiting" && isPresent && site ? " at " + place(site).replace(/^:/, "line ") : "";
      setText(row.cells[1], words + where + (lasts ? ", since step " + since : ""));
      setText(row.cells[2], holds);
    });
  }

  function showObjects(state, before, current) {
    objectRows.forEach((row, object) => {
      const texts = objectState(state, object);
      const old = objectState(before, object);
      row.className = object === current ? "now" : "";
      row.hidden = hiddenObjects.has(object);
      texts.forEach((text, column) => {
        setText(row.cells[2 + column], text);
        row.cells[2 + column].className = text !== old[column] ? "changed" : "";
      });
    });
  }

  const codeLines = new Map();
  run.files.forEach((file, number) => {
    if (file.lines.length === 0) return;
    const code = element("div", undefined, "code");
    for (const [line, text] of file.lines) {
      const cells = [element("span", String(line), "number"), element("span", text)];
      const who = element("span", "", "who");
      cells[1].append(who);
      code.append(...cells);
      codeLines.set(number + ":" + line, [...cells, who]);
    }
    byId("source").append(element("h3", file.name), code);
  });
  byId("sourceSection").hidden = codeLines.size === 0;

  let markedLines = [];
  function showSource(state, current) {
    for (const cells of markedLines) {
      cells.forEach((cell) => cell.classList.remove("here", "now"));
      cells[2].replaceChildren();
    }
    markedLines = [];
    run.threads.forEach((name, thread) => {
      const site = siteOf(state, thread);
      const cells = site && codeLines.get(site[0] + ":" + site[1]);
      if (!cells || !threadState(state, thread)[3]) return;
      cells[2].append(element("span", (cells[2].textContent ? ", " : "◀ ") + name, color(thread)));
      cells.forEach((cell) => cell.classList.add(thread === current ? "now" : "here"));
      markedLines.push(cells);
      if (thread === current) scrollTo(byId("source"), cells[0].offsetTop - byId("source").offsetTop, cells[0].offsetHeight);
    });
  }

  /// Scrolls within one box, without scrolling the page.
  function scrollTo(box, top, height) {
    const margin = Math.min(3 * height, box.clientHeight / 3);
    if (top - margin < box.scrollTop) box.scrollTop = top - margin;
    else if (top + height + margin > box.scrollTop + box.clientHeight) box.scrollTop = top + height + margin - box.clientHeight;
  }

  function sentence(state) {
    if (position === 0) return "Before the first step.";
    const thread = run.steps.thread[position - 1];
    const site = run.sites[run.steps.site[position - 1]];
    const who = thread < 0 ? "" : run.threads[thread] + ": ";
    let text = "Step " + position + " of " + steps + ". " + who + run.texts[run.steps.text[position - 1]];
    if (site) text += " (" + run.files[site[0]].name + ":" + site[1] + ")";
    const waiting = [];
    run.threads.forEach((name, other) => {
      const [activity, words] = threadState(state, other);
      if (activity === "waiting" && other !== thread) waiting.push(name + " " + words);
    });
    const reason = run.reasons[position] ? " " + run.reasons[position] : "";
    return text + "." + reason + (waiting.length ? " Waiting: " + waiting.slice(0, 4).join("; ") + (waiting.length > 4 ? "; and " + (waiting.length - 4) + " more" : "") + "." : "");
  }

  function show() {
    const state = stateAfter(position);
    const before = stateAfter(Math.max(0, position - 1));
    const current = position ? run.steps.thread[position - 1] : -1;
    const object = position ? run.steps.object[position - 1] : -1;
    showThreads(state, current);
    showObjects(state, before, object);
    showSource(state, current);
    const text = sentence(state);
    setText(byId("now"), text);
    byId("slider").value = position;
    byId("slider").setAttribute("aria-valuetext", text);
    byId("position").textContent = position + " of " + steps;
    byId("first").disabled = byId("back").disabled = position === 0;
    byId("last").disabled = byId("forward").disabled = position === steps;
    for (const button of document.querySelectorAll(".steps button")) {
      if (Number(button.dataset.step) === position) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    draw();
  }

  // ---- Lanes. Only the rows that can be seen are drawn.

  const SVG = "http://www.w3.org/2000/svg";
  const canvas = byId("canvas"), scroller = byId("scroller");
  /// The width of the lanes and the height of the window. They are kept, because asking for them after a change makes
  /// the browser lay out the page.
  let room = { width: 0, height: 0 };

  function measure() {
    room = { width: scroller.clientWidth, height: innerHeight };
  }

  function shape(parent, name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  }

  /// A long name cut in the middle, because names often differ only at their ends.
  function shortened(name, most) {
    if (name.length <= most) return name;
    return name.slice(0, Math.ceil(most / 2) - 1) + "…" + name.slice(name.length - Math.floor(most / 2));
  }

  const clipped = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

  /// Where the columns are, in pixels.
  function layout() {
    const font = rowHeight * 0.55;
    const letter = font * 0.602;
    const shown = run.threads.map((_, thread) => thread).filter((thread) => !hiddenThreads.has(thread));
    const lanes = (String(steps).length + 2) * letter;
    const share = Math.min(420, Math.max(room.width * 0.4, 60)) / Math.max(shown.length, 1);
    const lane = Math.max(rowHeight * 0.6, Math.min(rowHeight * 1.4, share));
    const most = run.threads.reduce((width, name) => Math.max(width, name.length), 0);
    const names = Math.min(most, 16);
    const name = lanes + shown.length * lane + letter;
    const x = new Map(shown.map((thread, index) => [thread, lanes + (index + 0.5) * lane]));
    // If the threads' names would leave too little room for the words of the steps, rows have no names. The color of
    // the words then says which thread it is.
    const after = name + (names + 2) * letter;
    const hasNames = room.width - after >= Math.min(longest, 26) * letter;
    return { font, letter, shown, lanes, lane, names, hasNames, name, text: hasNames ? after : name, x };
  }

  /// The length of the longest text of a row, in characters.
  let longest = 0;
  run.steps.text.forEach((text, i) => {
    const site = run.sites[run.steps.site[i]];
    longest = Math.max(longest, run.texts[text].length + (site ? place(site).length + 2 : 0));
  });

  /// Draws the rows that can be seen; for printing, everything up to a limit.
  function draw(everything) {
    const at = layout();
    const width = Math.max(room.width - 2, at.text + Math.min(longest, 160) * at.letter + 10);
    const total = rows.length * rowHeight;
    const extra = 4;
    const begin = everything ? 0 : Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - extra);
    const visible = Math.ceil(room.height / rowHeight) + 2 * extra;
    const end = Math.min(rows.length, begin + (everything ? 3000 : visible));
    canvas.style.height = (everything ? end * rowHeight : total) + "px";
    canvas.style.width = width + "px";
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "Steps " + (rows[begin] || 0) + " to " + (rows[end - 1] || 0) + " as lanes; the step is described above.");
    svg.setAttribute("width", width);
    svg.setAttribute("height", Math.max(1, (end - begin) * rowHeight));
    svg.setAttribute("font-size", at.font);
    svg.style.top = begin * rowHeight + "px";
    drawRows(svg, at, begin, end, width);
    drawLinks(svg, at, begin, end);
    drawMarks(svg, at, begin, end);
    canvas.replaceChildren(svg);
    drawHeads(at, width);
  }

  function drawRows(svg, at, begin, end, width) {
    for (let row = begin; row < end; row++) {
      const kind = (STORY.has(rows[row]) ? " story" : "") + (rows[row] === position ? " now" : "");
      const back = shape(svg, "rect", { class: "row" + kind, x: 0, y: (row - begin) * rowHeight, width, height: rowHeight });
      back.dataset.step = rows[row];
      if (rows[row] === position) {
        shape(svg, "rect", { class: "edge", x: 0, y: (row - begin) * rowHeight, width: 4, height: rowHeight });
      } else if (STORY.has(rows[row])) {
        shape(svg, "rect", { class: "alert", x: 0, y: (row - begin) * rowHeight, width: 3, height: rowHeight });
      }
    }
    drawLanes(svg, at, begin, end);
  }

  /// Draws each thread's lane: a line for each stretch of rows in which the thread does the same (runs, waits, sleeps).
  function drawLanes(svg, at, begin, end) {
    if (begin >= end) return;
    let done = Math.max(0, rows[begin] - 1);
    const state = stateAfter(done);
    const open = new Map();
    const note = (y) => {
      for (const thread of at.shown) {
        const activity = threadState(state, thread)[0];
        const known = open.get(thread);
        if (known && known.activity === activity) continue;
        if (known) line(thread, known, y);
        open.set(thread, { activity, y });
      }
    };
    const line = (thread, stretch, y) => {
      if (!["created", "running", "asleep", "waiting"].includes(stretch.activity) || y <= stretch.y) return;
      const x = at.x.get(thread);
      shape(svg, "line", { class: "lane " + stretch.activity + " " + color(thread), x1: x, x2: x, y1: stretch.y, y2: y });
    };
    note(0);
    for (let row = begin; row < end; row++) {
      while (done < rows[row]) apply(state, run.changes[done++]);
      note((row - begin + 0.5) * rowHeight);
    }
    for (const [thread, stretch] of open) line(thread, stretch, (end - begin) * rowHeight);
  }

  function drawMarks(svg, at, begin, end) {
    for (let row = begin; row < end; row++) {
      const step = rows[row] - 1;
      const thread = run.steps.thread[step];
      const mark = run.steps.mark[step];
      const y = (row - begin + 0.5) * rowHeight;
      const base = y + at.font * 0.35;
      const failed = mark === MARKS.failure ? " failed" : "";
      shape(svg, "text", { class: "number", x: at.lanes - at.letter, y: base, "text-anchor": "end" }, String(step + 1));
      if (thread >= 0) drawMark(svg, at.x.get(thread), y, mark, color(thread));
      if (thread >= 0 && at.hasNames) {
        shape(svg, "text", { class: "name " + color(thread), x: at.name, y: base }, shortened(run.threads[thread], at.names));
      }
      const words = shape(svg, "text", { class: "words" + (failed || (at.hasNames || thread < 0 ? "" : " name " + color(thread))), x: thread >= 0 ? at.text : at.name, y: base },
        clipped(run.texts[run.steps.text[step]], 140));
      const site = run.sites[run.steps.site[step]];
      if (site) {
        const where = document.createElementNS(SVG, "tspan");
        where.setAttribute("class", "place");
        where.setAttribute("dx", at.letter * 2);
        where.textContent = place(site);
        words.append(where);
      }
    }
  }

  function drawMark(svg, x, y, mark, tint) {
    const size = rowHeight * 0.2;
    if (mark === MARKS.end) {
      shape(svg, "rect", { class: "mark " + tint, x: x - size, y: y - size, width: 2 * size, height: 2 * size });
    } else if (mark === MARKS.older) {
      const wide = size * 1.3;
      shape(svg, "path", { class: "blocked " + tint, d: `M ${x} ${y - wide} l ${wide} ${wide} l ${-wide} ${wide} l ${-wide} ${-wide} z` });
    } else if (mark === MARKS.failure) {
      shape(svg, "text", { class: "failed", x, y: y + size, "text-anchor": "middle" }, "✗");
    } else {
      shape(svg, "circle", { class: (mark === MARKS.wait ? "blocked " : "mark ") + tint, cx: x, cy: y, r: size });
    }
  }

  /// Draws arrows, each from a step to the step of another thread that it made possible. Arrows from or to hidden rows
  /// are left out.
  function drawLinks(svg, at, begin, end) {
    const first = rows[begin], last = rows[end - 1];
    for (const [kind, from, to] of run.links) {
      if (to < first || from > last) continue;
      const source = rank(from) - 1, target = rank(to) - 1;
      if (rows[source] !== from || rows[target] !== to) continue;
      const x1 = at.x.get(run.steps.thread[from - 1]), x2 = at.x.get(run.steps.thread[to - 1]);
      if (x1 === undefined || x2 === undefined) continue;
      const y1 = (source - begin + 0.5) * rowHeight, y2 = (target - begin + 0.5) * rowHeight;
      const side = x2 > x1 ? -1 : 1, gap = rowHeight * 0.25, head = rowHeight * 0.22;
      const tip = x2 + side * gap;
      const now = from === position || to === position ? " now" : "";
      const middle = Math.min(y1 + rowHeight * 1.5, y2);
      shape(svg, "path", { class: "link " + run.linkKinds[kind] + now,
        d: `M ${x1} ${y1} C ${x1} ${middle} ${x1 - side * gap} ${y2} ${tip + side * head} ${y2}` });
      shape(svg, "path", { class: "head" + now,
        d: `M ${tip} ${y2} l ${side * head} ${-head * 0.7} l 0 ${head * 1.4} z` });
    }
  }

  function drawHeads(at, width) {
    const most = Math.min(12, at.shown.reduce((length, thread) => Math.max(length, run.threads[thread].length), 0));
    const height = at.font * 1.4 + most * at.letter * 0.6;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.setAttribute("font-size", at.font);
    for (const thread of at.shown) {
      const x = at.x.get(thread);
      shape(svg, "text", { class: "name " + color(thread), transform: `translate(${x} ${height - 4}) rotate(-38)` },
        shortened(run.threads[thread], 12));
    }
    byId("heads").replaceChildren(svg);
    byId("heads").scrollLeft = scroller.scrollLeft;
  }

  /// Scrolls the lanes to the step shown.
  function reveal() {
    const row = Math.max(0, rank(position) - 1);
    scrollTo(scroller, row * rowHeight, rowHeight);
  }

  // ---- Findings.

  for (const finding of run.findings) {
    const box = element("article", undefined, "finding " + finding.severity);
    const isShownAbove = document.querySelector(".outcome").textContent.includes(finding.summary);
    box.append(element("h3", finding.severity + " " + finding.code + (isShownAbove ? "" : ": " + finding.summary)));
    const story = element("ul");
    for (const line of finding.story) story.append(element("li", line));
    box.append(story);
    if (finding.calls) box.append(element("pre", finding.calls.join("\n"), "calls"));
    if (finding.advice) box.append(element("p", "Fix: " + finding.advice));
    const buttons = element("div", undefined, "steps");
    for (const step of finding.steps) {
      const thread = run.steps.thread[step - 1];
      const words = (thread < 0 ? "" : run.threads[thread] + " ") + run.texts[run.steps.text[step - 1]];
      const button = element("button", step + ": " + clipped(words, 60));
      button.type = "button";
      button.dataset.step = step;
      button.addEventListener("click", () => go(step));
      buttons.append(button);
    }
    if (finding.steps.length) box.append(element("p", "Its steps:"), buttons);
    byId("findings").append(box);
  }
  byId("findingsSection").hidden = run.findings.length === 0;
  document.querySelector(".views").classList.toggle("whole", run.findings.length === 0);

  /// The step that the page shows first: the last step of the first finding that has steps; without one, the last step
  /// of the run.
  function begin() {
    const first = run.findings.find((finding) => finding.steps.length);
    return first ? Math.max(...first.steps) : steps;
  }

  // ---- Controls.

  function choices(box, names, hidden) {
    names.forEach((name, number) => {
      const label = element("label");
      const check = element("input");
      check.type = "checkbox";
      check.checked = true;
      check.addEventListener("change", () => {
        if (check.checked) hidden.delete(number); else hidden.add(number);
        refresh();
      });
      label.append(check, " " + name);
      box.append(label);
    });
    box.hidden = names.length === 0;
  }

  function refresh() {
    filter();
    show();
    reveal();
  }

  function setRowHeight(height) {
    rowHeight = Math.max(12, Math.min(72, height));
    measure();
    byId("smaller").disabled = rowHeight === 12;
    byId("larger").disabled = rowHeight === 72;
    draw();
    reveal();
  }

  choices(byId("threadChoices"), run.threads, hiddenThreads);
  choices(byId("objectChoices"), run.objects.map(([name]) => name), hiddenObjects);
  byId("everything").addEventListener("click", () => {
    hiddenThreads.clear();
    hiddenObjects.clear();
    for (const check of document.querySelectorAll(".choices input")) check.checked = true;
    refresh();
  });
  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => move(-1));
  byId("forward").addEventListener("click", () => move(1));
  byId("last").addEventListener("click", () => move(Infinity));
  byId("smaller").addEventListener("click", () => setRowHeight(rowHeight / 1.25));
  byId("larger").addEventListener("click", () => setRowHeight(rowHeight * 1.25));
  byId("projector").addEventListener("click", () => {
    const isLarge = document.documentElement.classList.toggle("large");
    byId("projector").setAttribute("aria-pressed", String(isLarge));
    byId("findingsSection").open = !isLarge;
    setRowHeight(isLarge ? 40 : 24);
  });
  byId("slider").max = steps;
  byId("slider").addEventListener("input", () => {
    const row = rank(Number(byId("slider").value));
    go(row === 0 ? 0 : rows[row - 1]);
  });
  canvas.addEventListener("click", (event) => {
    const row = Math.floor((event.clientY - canvas.getBoundingClientRect().top) / rowHeight);
    if (rows[row] !== undefined) go(rows[row]);
  });

  const KEYS = {
    ArrowRight: () => move(1), ArrowDown: () => move(1), ArrowLeft: () => move(-1), ArrowUp: () => move(-1),
    PageDown: () => move(10), PageUp: () => move(-10), Home: () => go(0), End: () => move(Infinity),
  };
  document.addEventListener("keydown", (event) => {
    const action = KEYS[event.key];
    // In the program's text, these keys scroll the text.
    if (!action || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target.closest("#source")) return;
    event.preventDefault();
    action();
  });

  let isDue = false;
  scroller.addEventListener("scroll", () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => { isDue = false; draw(); });
  });
  addEventListener("resize", () => { measure(); draw(); });
  addEventListener("beforeprint", () => draw(true));
  addEventListener("afterprint", () => draw());

  byId("legend").textContent = "● step  ○ begins to wait  ■ end  ✗ failure" + (run.steps.mark.includes(MARKS.older) ? "  ◇ not the newest value" : "") + ". A dashed red lane waits; a dotted one has not begun or sleeps. "
    + "Arrows lead from a release to the next thread that takes the lock, and from a signal to the thread that it wakes"
    + (run.links.some(([kind]) => run.linkKinds[kind].includes("source")) ? "; also from a write to another thread's read of it, dashed if it was not the newest." : ".");
  filter();
  position = begin();
  setRowHeight(24);
  show();
  reveal();
})();
