// The buttons and keys of a program's page, and the line of text that says what has happened.
"use strict";
lab.controls = (() => {
  const { byId, setText, history, questions, goals } = lab;

  /// Shows a text in the line that says what has happened. Screen readers read it aloud, and also the details, which
  /// the page shows elsewhere.
  function say(text, details) {
    setText(byId("said"), text);
    setText(byId("details"), details || "");
  }
  const root = document.documentElement;

  function focus() {
    const view = history.last && history.last.thread >= 0 ? lab.views.buttons[history.last.thread] : lab.views.buttons.find((other) => !other.item.hidden);
    if (view && !view.item.hidden) view.button.focus({ preventScroll: true });
  }

  /// A sentence about a thread: what its next step is, or why it cannot step.
  function why(number) {
    const thread = lab.thread(history.state, number);
    if (thread.kind === "absent") return thread.name + " does not exist yet.";
    if (thread.kind === "ended") return thread.name + " has ended.";
    if (thread.canStep) return thread.name + " can step" + (questions.predicts ? "." : ": " + thread.step + ".");
    return thread.name + " " + thread.why + ".";
  }

  function step(move) {
    if (questions.predicts) questions.predict(move); else history.take(move);
  }

  /// Takes a step of the thread with this number (-1: lets time pass), or says why it cannot step.
  function choose(number) {
    questions.close();
    const moves = lab.moves(history.state).filter((move) => move.thread === number);
    if (moves.length === 0) {
      if (number >= 0 && number < lab.data.threads.length) say(why(number));
    } else if (moves.length > 1) {
      questions.askWay(moves, step);
    } else {
      step(moves[0]);
    }
  }

  function whyNot() {
    const stuck = lab.threads(history.state).filter((thread) => !thread.canStep && lab.views.isShown(thread, history.state) && thread.kind !== "ended");
    say(stuck.length ? stuck.map((thread) => why(thread.number)).join(" ") : "Every thread that has not ended can step.");
  }

  function ready(state) {
    const names = lab.threads(state).filter((thread) => thread.canStep).map((thread) => thread.name);
    return names.length ? "Can step: " + lab.list(names) + "." : "No thread can step.";
  }

  history.onChange((reason) => {
    const state = history.state;
    byId("restart").disabled = byId("back").disabled = history.position === 0;
    byId("forward").disabled = history.position === history.length;
    const schedule = history.schedule();
    byId("schedules").hidden = !lab.data.hasSchedules;
    setText(byId("schedule"), schedule ? lab.data.command + " " + schedule : "No step has been taken.");
    if (reason === "hint" || reason === "predict") return;
    questions.close();
    const last = history.last;
    const done = last ? "Step " + history.position + ": " + (last.thread < 0 ? "" : lab.data.threads[last.thread] + ": ") + lab.stepWords(last) + ". " : "";
    const found = goals.result(state);
    const trouble = lab.trouble(state);
    if (found) say(done + found.title + ".", found.text);
    else say(done + (trouble ? trouble + " " : "") + ready(state));
  });

  function toggle(button, isOn) { button.setAttribute("aria-pressed", String(isOn)); }

  function large() { toggle(byId("large"), root.classList.toggle("large")); history.refresh("predict"); }
  function predict() {
    questions.predicts = !questions.predicts;
    toggle(byId("predict"), questions.predicts);
    say(questions.predicts ? "Predict mode: you are asked before each step is shown." : "Predict mode is off.");
  }
  const restart = () => history.go(0);

  byId("restart").addEventListener("click", restart);
  byId("again").addEventListener("click", () => { restart(); focus(); });
  byId("back").addEventListener("click", () => history.go(history.position - 1));
  byId("forward").addEventListener("click", () => history.go(history.position + 1));
  byId("hint").addEventListener("click", () => say(goals.hint()));
  byId("predict").addEventListener("click", predict);
  byId("large").addEventListener("click", large);

  const KEYS = {
    ArrowLeft: () => history.go(history.position - 1), ArrowRight: () => history.go(history.position + 1),
    PageUp: () => history.go(history.position - 10), PageDown: () => history.go(history.position + 10),
    Home: restart, End: () => history.go(history.length),
    "?": whyNot, h: () => { if (lab.data.goals.length) say(goals.hint()); }, p: predict, l: large, t: () => choose(-1),
    Escape: () => { if (questions.isOpen) { questions.close(); say("No step was taken. " + ready(history.state)); } },
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select")) return;
    const scrolls = event.target.closest("#source, .wide") && event.key.length > 1 && event.key !== "Escape";
    const isDigit = /^[0-9]$/.test(event.key);
    if (scrolls || (!isDigit && !KEYS[event.key])) return;
    event.preventDefault();
    if (!isDigit) KEYS[event.key]();
    else if (questions.isOpen) questions.type(Number(event.key));
    else choose(Number(event.key));
  });

  return { choose, say, focus, start: () => history.refresh("moved") };
})();
lab.controls.start();
