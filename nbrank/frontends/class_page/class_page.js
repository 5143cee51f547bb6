// The field for ballots, which Python reads as one types, pastes or drops a file, and the result.
export default {
  render({model, el}) {
    el.innerHTML = `<aside><div class="head"><h2>Ballots</h2><button>paste others</button>
      <button>the example</button></div><textarea spellcheck="false" aria-label="ballots"
      placeholder="Lake > Zoo > Museum"></textarea><div role="status"></div></aside><main></main>`;
    const [field, notes, main] = ["textarea", "[role=status]", "main"].map((of) => el.querySelector(of));
    const [others, example] = el.querySelectorAll("button");
    let waiting;
    const send = (text) => {
      clearTimeout(waiting);
      model.set("text", text);
      model.save_changes();
    };
    const show = () => {
      const error = model.get("error");
      if (main.innerHTML !== model.get("html")) main.innerHTML = model.get("html");
      main.classList.toggle("stale", error !== "");
      notes.classList.toggle("error", error !== "");
      if (error) notes.textContent = error + ".";
      else notes.innerHTML = model.get("notes");
    };
    const fill = (text) => {
      field.value = text;
      if (text) send(text);
      field.focus();
    };
    field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => send(field.value), 400);
    });
    field.addEventListener("drop", async (event) => {
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      fill(await file.text());
    });
    others.addEventListener("click", () => fill(""));
    example.addEventListener("click", () => fill(model.get("example")));
    // Jupyter's own keys have no business in the field.
    field.addEventListener("keydown", (event) => event.stopPropagation());
    model.on("change:html change:notes change:error", show);
    model.on("change:text", () => {
      if (document.activeElement !== field) field.value = model.get("text");
    });
    field.value = model.get("text");
    show();
  },
};
