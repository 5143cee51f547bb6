// HTML whose folds stay open and whose focus stays as it is written anew; its buttons send back
// what they are called. Among tabs the arrow keys move. A click on a name in a graph looks at it, and
// the points of a triangle are dragged over.
// ipywidgets writes the name of a slider beside it, where those who listen don't find it.
globalThis.nbrankNames ??= (() => {
  const name = () => {
    for (const label of document.querySelectorAll(".nbrank-bench .widget-slider > label"))
      for (const part of label.parentElement.querySelectorAll("[role=slider], [contenteditable]")) {
        if (part.contentEditable === "true") part.setAttribute("role", "textbox");
        part.setAttribute("aria-label", label.textContent);
      }
  };
  const observer = new MutationObserver(name);
  observer.observe(document.body, {childList: true, subtree: true});
  return observer;
})();
export default {
  render({model, el}) {
    let sent = 0, next = null, waits = 0;
    // While one drags, a point is sent when the page has followed the one before, or a second later.
    function sendPoint(target) {
      const point = target?.closest(".points > *");
      if (!point) return;
      next = `${[...point.parentNode.children].indexOf(point)}`;
      clearTimeout(waits);
      waits = setTimeout(sendNext, Math.max(0, sent + 1000 - performance.now()));
    }
    function sendNext() {
      sent = next === null ? 0 : performance.now();
      if (next !== null) model.send(["point", next]);
      next = null;
    }
    const show = () => {
      const open = [...el.querySelectorAll("details")].map((fold) => fold.open);
      const focused = el.contains(document.activeElement) && document.activeElement.dataset;
      const before = el.querySelector("h3")?.innerText;
      el.innerHTML = model.get("html");
      sortTables(el);
      sendNext();
      // Who clicks a name sees what is said of it, also where that stands further below.
      const head = el.querySelector("h3");
      if (head && head.innerText !== before && el.closest(".nbrank-bench")?.matches(":hover, :focus-within"))
        requestAnimationFrame(() => el.scrollIntoView({block: "nearest"}));
      el.querySelectorAll("details").forEach((fold, place) => (fold.open ||= open[place] ?? false));
      if (focused)
        [...el.querySelectorAll("[data-name]")].find((button) =>
          button.dataset.name === focused.name && button.dataset.value === focused.value)?.focus();
    };
    async function copy(button) {
      const text = el.querySelector("pre");
      getSelection().selectAllChildren(text);
      const said = button.textContent;
      // Where a page may not write to the clipboard, the text is selected.
      button.textContent = await navigator.clipboard?.writeText(text.textContent)
        .then(() => "copied", () => "selected: copy it by keyboard") ?? "selected: copy it by keyboard";
      setTimeout(() => (button.textContent = said), 1500);
    }
    el.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-name]");
      if (button) model.send([button.dataset.name, button.dataset.value]);
      sendPoint(event.target);
      const block = event.target.closest(".block");
      if (block) model.send(["look", block.querySelector("title").textContent]);
      const copies = event.target.closest("button[data-copy]");
      if (copies) copy(copies);
    });
    el.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) sendPoint(document.elementFromPoint(event.clientX, event.clientY));
    });
    el.addEventListener("change", (event) => {
      const {name} = event.target.dataset;
      if (name) model.send([name, event.target.value]);
    });
    el.addEventListener("keydown", (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      const tabs = [...el.querySelectorAll("[role=tab]")];
      const at = tabs.indexOf(event.target);
      if (!step || at < 0) return;
      const next = tabs[(at + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
      event.preventDefault();
    });
    model.on("change:html", show);
    show();
  },
};
