// Draws a chart beside the old one and puts it in its place; draws it anew in other colours when
// the page's theme changes; sends back what is clicked.
const {vegaEmbed} = globalThis.nbrankVega;
const night = matchMedia("(prefers-color-scheme: dark)");
const above = (node) => node.parentElement ?? node.getRootNode().host;

function isDark(el) {
  for (let node = el; node; node = above(node)) {
    const paint = getComputedStyle(node).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
    if (paint.length > 2 && (paint[3] ?? 1) > 0.5)
      return 0.299 * paint[0] + 0.587 * paint[1] + 0.114 * paint[2] < 128;
  }
  return night.matches && getComputedStyle(document.documentElement).colorScheme.includes("dark");
}

function painted(part, colours) {
  if (typeof part === "string")
    return part.replace(/#[0-9a-f]{6}\b/gi, (colour) => colours[colour.toLowerCase()] ?? colour);
  if (Array.isArray(part)) return part.map((inner) => painted(inner, colours));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([key, inner]) =>
    [key, key === "data" ? inner : painted(inner, colours)]));
}

async function render({model, el}) {
  let shown = null, dark = null, turn = 0;

  async function draw() {
    const now = ++turn, spec = JSON.parse(model.get("spec"));
    dark = isDark(el);
    if (!spec.$schema) return el.replaceChildren();
    const box = document.createElement("div");
    const coloured = dark ? painted(spec, model.get("dark")) : structuredClone(spec);
    (coloured.config ??= {}).background = "transparent";
    const drawn = await vegaEmbed(box, coloured,
      {actions: false, renderer: "svg", tooltip: {theme: dark ? "dark" : "light"}});
    if (now !== turn) return drawn.finalize();
    const focused = document.activeElement?.__data__?.datum?.system;
    el.replaceChildren(box);
    shown?.finalize();
    shown = drawn;
    tell();
    for (const [name, value] of Object.entries(model.get("signals"))) drawn.view.signal(name, value);
    await drawn.view.runAsync();
    const send = (event, item) => {
      const plain = Object.entries(item?.datum ?? {}).filter(([, value]) => Object(value) !== value);
      if (plain.length) model.send(Object.fromEntries(plain));
    };
    drawn.view.addEventListener("click", send);
    // The names of rows are buttons for those who have no mouse.
    for (const name of el.querySelectorAll("svg g > text")) {
      const item = name.__data__;
      if (item?.datum?.brief === undefined) continue;
      for (const [key, value] of [["tabindex", 0], ["role", "button"], ["aria-label", item.datum.system]])
        name.setAttribute(key, value);
      name.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        send(event, item);
      });
      if (focused !== undefined && item.datum.system === focused) name.focus();
    }
    drawn.view.addEventListener("pointermove", (event, item) =>
      event.buttons === 1 && item?.datum?.point !== undefined && send(event, item));
  }
  async function signal() {
    for (const [name, value] of Object.entries(model.get("signals"))) shown?.view.signal(name, value);
    await shown?.view.runAsync();
  }
  function tell() {
    const svg = el.querySelector("svg");
    svg?.setAttribute("role", "figure");
    svg?.setAttribute("aria-label", model.get("label"));
  }
  let waiting;
  const look = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => isDark(el) !== dark && draw(), 60);
  };
  const observer = new MutationObserver(look);
  for (const node of [document.documentElement, document.body])
    observer.observe(node, {attributes: true});
  observer.observe(document.head, {childList: true, subtree: true});
  // What is drawn before it stands on the page does not know what is behind it.
  const placed = new ResizeObserver(look);
  placed.observe(el);
  night.addEventListener("change", look);
  model.on("change:spec", draw);
  model.on("change:signals", signal);
  model.on("change:label", tell);
  await draw();
  return () => {
    observer.disconnect();
    placed.disconnect();
    night.removeEventListener("change", look);
    shown?.finalize();
  };
}
export default { render };
