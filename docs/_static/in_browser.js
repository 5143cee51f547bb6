// On pages that run Python: one sentence on what to do if it has not come after 20 seconds; it goes
// when Python comes.
{
  const started = () => document.querySelector('[data-status="idle"], .jp-OutputArea-output');
  const site = new URL("../../", location);
  setTimeout(() => {
    if (started()) return;
    const note = document.createElement("div");
    note.setAttribute("role", "status");
    note.className = "nbrank-wait";
    note.style.cssText = "position: fixed; inset: auto 0 0 0; z-index: 9999; padding: 14px 20px; " +
      "background: #fff3dc; color: #14181d; border-top: 4px solid #b45309; font: 18px/1.4 Arial, sans-serif";
    note.innerHTML = `Python has not started yet: the first time it may take a minute or two, and if
      it does not come at all, your network may block it, so open
      <a href="https://mybinder.org/v2/gh/nbrank/nbrank/HEAD">the notebooks on Binder</a>, or ask
      for <a href="${new URL("class_site.html", site)}">a site for your class</a>, which
      needs no network.`;
    document.body.append(note);
    const watch = setInterval(() => {
      if (!started()) return;
      clearInterval(watch);
      note.remove();
    }, 500);
  }, 20_000);

  // A notebook's links are paths in the repository, which JupyterLab looks for among its own files.
  const files = new URL("lite/files/", site).href;
  const onSite = (path) =>
    path.startsWith("docs/")
      ? path.slice(5).replace(/\.md(?=#|$)/, ".html")
      : `lite/notebooks/index.html?path=${path}`;
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link?.href.startsWith(files)) return;
    event.stopPropagation();
    link.href = new URL(onSite(link.href.slice(files.length)), site);
  }, true);
}
