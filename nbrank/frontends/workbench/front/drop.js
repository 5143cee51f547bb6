// A field for a table of one's own: a file that is dropped or chosen, or text that is pasted.
export default {
  render({model, el}) {
    el.innerHTML = `<label><input type="file"><span>Drop a file here, or choose one</span>
      <small>CSV, Excel, JSON, Parquet, Markdown, HTML; a table of scores, comparisons or ballots</small></label>
      <details><summary>or paste a table, or ballots</summary>
      <textarea rows="7" aria-label="a table or ballots" spellcheck="false"
        placeholder="model,MMLU,GSM8K&#10;Aster,81.4,94.5&#10;&#10;or ballots&#10;5: A > B = C"></textarea>
      <button>read it</button></details>`;
    const file = el.querySelector("input"), text = el.querySelector("textarea");
    async function send(chosen) {
      if (chosen) model.send({name: chosen.name}, undefined, [await chosen.arrayBuffer()]);
    }
    file.accept = ".csv,.tsv,.txt,.xlsx,.json,.jsonl,.parquet,.md,.html";
    file.onchange = () => send(file.files[0]).then(() => (file.value = ""));
    el.querySelector("button").onclick = () => text.value.trim() && model.send(
      {name: "what you pasted"}, undefined, [new TextEncoder().encode(text.value).buffer]);
    for (const name of ["dragover", "dragleave", "drop"])
      el.addEventListener(name, (event) => {
        event.preventDefault();
        el.classList.toggle("nbrank-over", name === "dragover");
        if (name === "drop") send(event.dataTransfer.files[0]);
      });
  },
};
