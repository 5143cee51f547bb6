// Starts a live chart by a few lines: the browser gives a widget two seconds, in which it can't read
// the megabyte that draws. The first chart of a page that is drawn reads that, for all of them.
const scripts = (globalThis.nbrankScripts ??= new Map());
export default {
  async render(context) {
    const {model} = context;
    let end;
    async function start() {
      const id = model.get("script")?.replace("IPY_MODEL_", "");
      if (!id || end) return;
      if (!scripts.has(id)) {
        const source = await model.widget_manager.get_model(id);
        const blob = new Blob([source.get("value")], {type: "text/javascript"});
        if (!scripts.has(id)) scripts.set(id, import(URL.createObjectURL(blob)));
      }
      end ??= scripts.get(id).then((script) => script.default.render(context));
      await end;
    }
    model.on("change:script", start);
    await start();
    return async () => (await end)?.();
  },
};
