// Light or dark: as chosen on the page, else as the page that embeds it, else as the system.

/** Whether the embedding page is dark, null if it cannot be known. */
function hostTheme() {
  if (window.parent === window) return null;
  try {
    const { documentElement: root, body } = window.parent.document;
    if (["light", "dark"].includes(root.dataset.theme)) return root.dataset.theme;
    if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "true" ? "light" : "dark";
    const [red, green, blue, alpha] = window.parent.getComputedStyle(body).backgroundColor.match(/[\d.]+/g).map(Number);
    if (alpha === 0) return null;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110 ? "dark" : "light";
  } catch {
    return null; // another origin, such as a file on a disk: it may send its theme
  }
}

/**
 * Follow the theme of the embedding page.
 * @param {(theme: string|null) => void} change Called with "light", "dark" or null for that of the system. A page of
 *   another origin sends `{explorerTheme: "dark"}` with postMessage.
 */
export function followHost(change) {
  let told = null;
  const update = () => change(told || hostTheme());
  window.addEventListener("message", ({ data }) => {
    if (!data || !["light", "dark"].includes(data.explorerTheme)) return;
    told = data.explorerTheme;
    update();
  });
  try {
    const watched = { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light", "class", "style"] };
    const { documentElement: root, body } = window.parent.document;
    if (window.parent !== window) for (const target of [root, body]) new MutationObserver(update).observe(target, watched);
  } catch {
    window.parent.postMessage({ explorerReady: true }, "*"); // asks for the theme
  }
  update();
}
