// Tables that a click on a heading sorts, with a field to search them; on every page.
(root) => root.querySelectorAll("table.sortable:not(.ready)").forEach((table) => {
  table.classList.add("ready");
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  // A shared rank has = before it.
  const value = cell => cell.textContent.replace("−", "-").replace(/^=(?=\d+$)/, "");
  const compare = new Intl.Collator(undefined, {numeric: true}).compare;
  heads.forEach((head, at) => head.firstChild.addEventListener("click", () => {
    const now = head.getAttribute("aria-sort") ?? (head.dataset.best === "low" ? "descending" : "ascending");
    const turn = now === "descending" ? 1 : -1;
    const rows = [...body.rows].map(row => [value(row.cells[at]), row]);
    // Cells without a value are last, either way.
    rows.sort(([a], [b]) => !a - !b || turn * (isNaN(a - b) ? compare(a, b) : a - b));
    body.append(...rows.map(([, row]) => row));
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", turn === 1 ? "ascending" : "descending");
  }));
  const tools = document.createElement("p");
  tools.className = "tools";
  tools.innerHTML = '<input type="search" placeholder="search" aria-label="search"/> <a download="scores.csv">as CSV</a>';
  tools.firstChild.addEventListener("input", ({target}) => [...body.rows].forEach(row => {
    row.hidden = !row.textContent.toLowerCase().includes(target.value.toLowerCase());
  }));
  const quote = cell => `"${value(cell).replaceAll('"', '""')}"`;
  tools.lastChild.href = "data:text/csv;charset=utf-8," + encodeURIComponent([...table.rows]
    .map(row => [...row.cells].map(quote).join(",") + "\r\n").join(""));
  table.parentNode.before(tools);
})
