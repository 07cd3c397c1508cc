"use strict";
// Checks the reader's answers to the questions of a course page. An answer is right if exactly the right options are
// chosen. threadlab computed which ones these are when it made the page.
for (const form of document.querySelectorAll(".question")) {
  const verdict = form.querySelector(".verdict");
  const answer = form.querySelector(".answer");
  answer.hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const inputs = [...form.querySelectorAll("input")];
    const isRight = inputs.every((input) => input.checked === (input.dataset.right === "true"));
    form.classList.toggle("right", isRight);
    form.classList.toggle("wrong", !isRight);
    verdict.textContent = isRight ? "Right." : "Not quite.";
    answer.hidden = false;
    answer.open = true;
    form.dispatchEvent(new CustomEvent("answered", { bubbles: true, detail: { number: form.dataset.number, isRight } }));
  });
}
