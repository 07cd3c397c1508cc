// Questions to the reader: which of its alternatives a step takes; and, in predict mode, what will be true after a
// step.
"use strict";
lab.questions = (() => {
  const { byId, element, setText, history, plural } = lab;
  const form = byId("question");
  const score = { right: 0, all: 0 };
  let predicts = false;
  let isOpen = false;
  /// Called with a digit that the reader types, if not undefined.
  let typed;
  /// Called when the reader submits the form, if not undefined.
  let submit;

  function open(text, answers) {
    isOpen = true;
    setText(byId("questionText"), text);
    byId("answers").replaceChildren(...answers);
    form.hidden = false;
    const first = form.querySelector("input, button");
    if (first) first.focus();
  }

  function close() {
    if (!isOpen) return;
    isOpen = false;
    typed = submit = undefined;
    const hadFocus = form.contains(document.activeElement);
    form.hidden = true;
    byId("answers").replaceChildren();
    if (hadFocus) lab.controls.focus();
  }

  function button(text, action, type) {
    const made = element("button", text);
    made.type = type || "button";
    made.addEventListener("click", action);
    return made;
  }

  const name = (move) => (move.thread < 0 ? "time" : lab.data.threads[move.thread]);

  /// Asks which of its alternatives a thread's step takes, and calls `then` with that move.
  function askWay(moves, then) {
    const pick = (move) => { close(); then(move); };
    typed = (number) => { if (moves[number - 1]) pick(moves[number - 1]); };
    open(name(moves[0]) + "’s step can go " + moves.length + " ways. Which?",
      moves.map((move, index) => button((index + 1) + ": " + move.label, () => pick(move))));
  }

  // ---- Predictions

  function settle(move, isRight, truth) {
    score.all += 1;
    if (isRight) score.right += 1;
    close();
    setText(byId("score"), score.right + " of " + plural(score.all, "prediction") + " right");
    history.take(move);
    lab.controls.say((isRight ? "Right: " : "No: ") + truth + ".");
  }

  function askThreads(move) {
    const all = lab.threads(move.target).filter((thread) => thread.kind !== "ended" && lab.views.isShown(thread, move.target));
    const checks = all.map((thread) => {
      const label = element("label", undefined, "check " + lab.tint(thread.number));
      const check = element("input");
      check.type = "checkbox";
      label.append(check, " " + thread.number + " " + thread.name);
      return { thread, check, label };
    });
    submit = () => {
      const right = all.filter((thread) => thread.canStep).map((thread) => thread.name);
      const isRight = checks.every(({ thread, check }) => check.checked === thread.canStep);
      settle(move, isRight, right.length ? lab.list(right) + " can step" : "no thread can step");
    };
    typed = (number) => {
      const found = checks.find(({ thread }) => thread.number === number);
      if (found) found.check.checked = !found.check.checked;
    };
    open(name(move) + " steps. Which threads can step after that? Choose none if no thread can.",
      [...checks.map(({ label }) => label), button("Answer", () => {}, "submit")]);
  }

  function askGoal(move, goal) {
    const can = lab.distance(goal, move.target) >= 0;
    const answer = (isYes) => settle(move, isYes === can, can ? "it still can be reached" : "it cannot be reached any more");
    open(name(move) + " steps. Can the goal still be reached after that? (" + goal.title + ")",
      [button("Yes", () => answer(true)), button("No", () => answer(false))]);
  }

  function predict(move) {
    const goal = lab.goals.goal;
    // If the goal can be reached from every state, asking whether it still can be reached teaches nothing.
    const isOpenGoal = goal && lab.distance(goal, history.state) > 0 && goal.distance.some((far) => far < 0);
    // The two questions alternate.
    if (isOpenGoal && history.position % 2 === 1) askGoal(move, goal); else askThreads(move);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (submit) submit();
  });

  return {
    close, askWay, predict,
    get isOpen() { return isOpen; },
    get predicts() { return predicts; },
    set predicts(wish) { predicts = wish; close(); history.refresh("predict"); },
    type(number) { if (typed) typed(number); },
  };
})();
