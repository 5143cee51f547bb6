// After 20 seconds without Python, one sentence on what to do; it goes when Python comes.
{
  const started = () => document.querySelector('[data-status="idle"], .jp-OutputArea-output');
  setTimeout(() => {
    if (started()) return;
    const note = document.createElement("div");
    note.setAttribute("role", "status");
    note.className = "nbrank-wait";
    note.style.cssText = "position: fixed; inset: auto 0 0 0; z-index: 9999; padding: 14px 20px; " +
      "background: #fff3dc; color: #14181d; border-top: 4px solid #b45309; font: 18px/1.4 Arial, sans-serif";
    note.innerHTML = `Python has not started yet: the first time it may take a minute, and if it
      still has not come then, your network blocks it, so open
      <a href="https://mybinder.org/v2/gh/nbrank/nbrank/HEAD">the notebooks on Binder</a>, or ask
      for <a href="${new URL("../../class_site.html", location)}">a site for your class</a>, which
      needs no network.`;
    document.body.append(note);
    const watch = setInterval(() => {
      if (!started()) return;
      clearInterval(watch);
      note.remove();
    }, 500);
  }, 20_000);
}
