// The sliders of the weights. The track of each shows who would be first at each of its weights;
// where that changes stands a number, which goes there. Weights are sent as they move, one at a time.
const STEP_KEYS = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1};
const beyond = (end, up) => (up ? Math.floor(end * 100 + 1) : Math.ceil(end * 100 - 1)) / 100;

function make(tag, look, ...children) {
  const node = Object.assign(document.createElement(tag), look);
  node.append(...children);
  return node;
}

export default {
  render({model, el}) {
    let rows = [], sent = 0, awaited = [-1, 0];
    const list = make("div", {className: "nbrank-list"});
    const key = make("p", {className: "nbrank-key"});
    const note = make("p", {});
    const find = make("input", {type: "search", placeholder: "find a weight", ariaLabel: "find a weight"});
    const start = make("button", {textContent: "weights as at the start", onclick: () => send(-1, 0)});
    el.append(make("div", {className: "nbrank-row"}, start, find), key, list, note);

    function send(row, weight) {
      awaited = [row, weight];
      model.set("moved", [row, weight, ++sent]);
      model.save_changes();
    }
    function build() {
      const names = model.get("names"), most = model.get("most"), step = model.get("step");
      rows = names.map((name, at) => {
        const range = make("input", {type: "range", min: 0, max: most, step: "any", ariaLabel: name});
        const number = make("input", {type: "number", min: 0, step: "any", ariaLabel: `weight of ${name}`});
        const track = make("div", {className: "nbrank-track"});
        const ends = make("div", {className: "nbrank-ends"});
        range.oninput = () => {
          const weight = Math.round(range.value / step) * step;
          show(at, Number(weight.toFixed(6)));
          send(at, Number(weight.toFixed(6)));
        };
        number.onchange = () => number.value !== "" && number.value >= 0 && send(at, Number(number.value));
        range.onkeydown = (event) => {
          const way = STEP_KEYS[event.key], now = Number(number.value);
          if (!way) return;
          event.preventDefault();
          const changes = rows[at].changes.filter((end) => way * (end - now) > 0.01);
          const next = event.shiftKey && changes.length
            ? beyond(way > 0 ? changes[0] : changes.at(-1), way > 0)
            : Math.min(most, Math.max(0, Number((now + way * step).toFixed(6))));
          show(at, next);
          send(at, next);
        };
        const row = make("div", {className: "nbrank-weight"},
          make("span", {textContent: name, title: name}), make("div", {}, track, range, ends), number);
        return {row, range, number, track, ends, changes: []};
      });
      list.replaceChildren(...rows.map((one) => one.row));
      find.hidden = names.length < 10;
      paint();
    }
    function show(at, weight) {
      const {row, range, number} = rows[at], moved = weight !== model.get("start")[at];
      range.value = weight;
      if (document.activeElement !== number) number.value = Number(weight.toFixed(4));
      row.classList.toggle("nbrank-moved", moved);
    }
    function paint() {
      const most = model.get("most"), weights = model.get("weights"), tracks = model.get("tracks");
      key.replaceChildren(...(model.get("key").length ? ["First at each weight: "] : []),
        ...model.get("key").map(([name, colour]) => make("span", {},
          make("i", {style: `background: var(--s${colour})`}), name, " ")));
      note.textContent = model.get("note");
      rows.forEach(({track, ends, range, ...row}, at) => {
        const spans = tracks[at] ?? [];
        rows[at].changes = spans.slice(1).map(([low]) => low);
        const marks = spans.map(([low, high, , colour]) => make("i", {
          style: `left: ${100 * low / most}%; width: ${100 * (high - low) / most}%; background: var(--s${colour})`}));
        track.replaceChildren(...marks, make("b", {
          style: `left: ${100 * model.get("start")[at] / most}%`, title: "the weight at the start"}));
        ends.replaceChildren(...spans.slice(1).map(([low, , name, colour]) => make("button", {
          textContent: Number(low.toFixed(2)), title: `from ${low.toFixed(2)} on: ${name}`, tabIndex: -1,
          style: `left: ${100 * low / most}%; color: var(--s${colour})`,
          onclick: () => send(at, beyond(low, Number(row.number.value) <= low))})));
        const said = spans.map(([low, , name]) => `from ${Number(low.toFixed(2))} ${name}`).join(", ");
        range.title = said && `First: ${said}`;
        range.setAttribute("aria-description", range.title);
        // What comes back of an earlier move would undo the latest.
        const isOld = awaited[0] === at && awaited[1] !== weights[at];
        if (!isOld && !range.matches(":active")) show(at, weights[at]);
      });
    }
    find.oninput = () => rows.forEach(({row, range}) => {
      row.hidden = !range.ariaLabel.toLowerCase().includes(find.value.toLowerCase());
    });
    model.on("change:names change:most", build);
    model.on("change:weights change:tracks change:key change:note", paint);
    build();
  },
};
