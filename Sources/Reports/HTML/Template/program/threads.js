// The list of threads, each a button that takes the thread's next step or says why it cannot step; and the table of
// objects.
"use strict";
lab.views = (() => {
  const { byId, element, setText, history, tint } = lab;

  const buttons = lab.data.threads.map((name, number) => {
    const item = element("li");
    const button = element("button", undefined, "thread " + tint(number));
    button.type = "button";
    const key = element("span", String(number), "key");
    const who = element("span", name, "name");
    const step = element("span", "", "step");
    const place = element("span", "", "place");
    const more = element("span", "", "more");
    const hint = element("span", "", "hint");
    button.append(key, " ", who, " ", step, " ", place, " ", more, " ", hint);
    button.addEventListener("click", () => lab.controls.choose(number));
    item.append(button);
    byId("threads").append(item);
    return { item, button, step, place, more, hint };
  });

  const time = (() => {
    const item = element("li");
    const button = element("button", undefined, "thread time");
    button.type = "button";
    const hint = element("span", "", "hint");
    button.append(element("span", "t", "key"), " ", element("span", "time passes", "name"), " ", hint);
    button.addEventListener("click", () => lab.controls.choose(-1));
    item.append(button);
    item.hidden = true;
    byId("threads").append(item);
    return { item, button, hint };
  })();

  /// The main thread is left out while it only waits for others.
  const isShown = (thread, state) =>
    thread.kind !== "absent" && !(thread.number === 0 && lab.data.threads.length > 1 && thread.kind === "waits"
      && lab.threads(state).some((other) => other.number > 0 && other.kind !== "ended" && other.kind !== "absent"));

  const STATES = { waits: "cannot step", sleeps: "cannot step", ended: "has ended", over: "the run is over" };

  function showThread(thread, state) {
    const { item, button, step, place, more } = buttons[thread.number];
    item.hidden = !isShown(thread, state);
    button.classList.remove("ready", "waits", "sleeps", "ended", "over", "absent");
    button.classList.add(thread.kind);
    const hidesStep = lab.questions.predicts && thread.canStep;
    setText(step, thread.canStep ? (hidesStep ? "can step" : thread.step) : thread.step || STATES[thread.kind] || "");
    setText(place, thread.line && thread.kind !== "over" ? "line " + thread.line : "");
    const facts = [thread.holds && "holds " + thread.holds, ...thread.variables].filter(Boolean);
    setText(more, facts.join(" · "));
    button.title = thread.canStep ? "Takes its next step" : "Why can it not step?";
    const last = history.last;
    button.classList.toggle("last", Boolean(last && last.thread === thread.number));
  }

  const rows = lab.data.objects.map(([name, kind]) => {
    const row = element("tr");
    const head = element("th", name);
    head.scope = "row";
    head.title = kind;
    row.append(head, element("td"), element("td"), element("td"));
    byId("objects").tBodies[0].append(row);
    return row;
  });
  document.querySelector("section.objects").hidden = rows.length === 0;
  // A column that is always empty is left out.
  [0, 1, 2].forEach((column) => {
    const isUsed = lab.data.objectStates.some((texts) => texts[column] !== "");
    for (const row of byId("objects").rows) row.cells[column + 1].hidden = !isUsed;
  });

  function showObject(row, number, state, before) {
    const texts = lab.object(state, number), old = lab.object(before, number);
    ["value", "holders", "waiters"].forEach((key, column) => {
      const cell = row.cells[column + 1];
      const isNew = texts[key] !== old[key];
      if (isNew) cell.classList.remove("changed");
      setText(cell, texts[key]);
      cell.classList.toggle("changed", isNew);
    });
  }

  history.onChange(() => {
    const state = history.state;
    const before = history.position ? history.stateAt(history.position - 1) : state;
    for (const thread of lab.threads(state)) showThread(thread, state);
    time.item.hidden = !lab.moves(state).some((move) => move.thread < 0);
    rows.forEach((row, number) => showObject(row, number, state, before));
  });

  return { buttons, time, isShown };
})();
