// Shows the picture, whose rows glide from where they were; sends back what is clicked, and how
// much room there is, so that Python lays it out for that.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const top = (row) => row.transform.baseVal.consolidate().matrix.f;

export default {
  render({model, el}) {
    let room = 0, last = 0;
    const rows = () => [...el.querySelectorAll(".row")];

    function glide(before) {
      const dragged = performance.now() - last < 400;
      rows().forEach((row, place) => {
        const was = before.get(row.dataset.name), now = top(row);
        if (was === undefined || was === now) return;
        row.animate([{transform: `translate(0, ${was}px)`}, {transform: `translate(0, ${now}px)`}], {
          duration: dragged ? 120 : 450, delay: dragged ? 0 : Math.min(120, 12 * place),
          easing: "cubic-bezier(.2, 0, 0, 1)", fill: "backwards"});
      });
    }
    function draw() {
      const before = new Map(rows().map((row) => [row.dataset.name, top(row)]));
      const focused = el.contains(document.activeElement) && document.activeElement.dataset.name;
      el.innerHTML = model.get("svg");
      for (const row of rows()) {
        row.setAttribute("tabindex", 0);
        row.setAttribute("role", "button");
        if (focused && row.dataset.name === focused) row.focus();
      }
      if (!still.matches) glide(before);
      last = performance.now();
    }
    function send(target) {
      const rule = target.closest("[data-rule]")?.dataset.rule;
      const system = target.closest(".row")?.dataset.name;
      const task = target.closest("[data-task]")?.dataset.task;
      if (rule !== undefined || system !== undefined) model.send({rule, system, task});
    }
    el.addEventListener("click", (event) => send(event.target));
    el.addEventListener("keydown", (event) => {
      const at = rows().indexOf(event.target), step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      if (at < 0 || !(step || event.key === "Enter" || event.key === " ")) return;
      event.preventDefault();
      if (step) rows()[at + step]?.focus();
      else send(event.target);
    });
    const observer = new ResizeObserver(() => {
      const wide = Math.round(el.clientWidth);
      if (wide < 1 || Math.abs(wide - room) < 16) return;
      room = wide;
      model.send({room});
    });
    observer.observe(el);
    model.on("change:svg", draw);
    draw();
    return () => observer.disconnect();
  },
};
