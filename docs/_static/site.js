// Send embedded explorers the theme of this page, let readers pause animations, and help keyboards and screen readers.

(() => {
  document.documentElement.dataset.mode ||= "auto"; // on a first visit the theme logs an error if there is no mode
  const theme = () => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");
  const tell = (frame) => frame.contentWindow.postMessage({ explorerTheme: theme() }, "*");
  const frames = () => [...document.querySelectorAll("iframe.explorer")];

  /** Show the first frame of a GIF on a canvas while it is paused. */
  function pausable(image) {
    const still = document.createElement("canvas");
    const button = document.createElement("button");
    const wrapper = document.createElement("span");
    wrapper.className = "pausable";
    button.type = "button";
    image.replaceWith(wrapper);
    wrapper.append(image, still, button);
    const set = (paused) => {
      if (paused) {
        [still.width, still.height] = [image.naturalWidth, image.naturalHeight];
        still.style.width = `${image.clientWidth || image.naturalWidth}px`;
        still.getContext("2d").drawImage(image, 0, 0);
      }
      image.hidden = paused;
      still.hidden = !paused;
      button.textContent = paused ? "Play" : "Pause";
    };
    button.addEventListener("click", () => set(!image.hidden));
    set(false);
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      if (image.complete) set(true);
      else image.addEventListener("load", () => set(true), { once: true });
    }
  }

  /** Let the keyboard reach everything that scrolls sideways. */
  function reachScrolled() {
    document.querySelectorAll(".bd-article table, .bd-article pre, .bd-article .cell_output, .bd-article .math").forEach((part) => {
      if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
    });
  }

  /** Name the buttons of the sidebar that show and hide pages below a page. */
  function nameToggles() {
    document.querySelectorAll(".bd-links details > summary").forEach((summary) => {
      const link = summary.closest("li")?.querySelector("a");
      if (link) summary.setAttribute("aria-label", `Pages below ${link.textContent.trim()}`);
    });
  }

  /** Signatures on several lines are no lists of definitions, although Sphinx marks them as such. */
  function unlistSignatures() {
    document.querySelectorAll(".sig dl, .sig dd").forEach((part) => part.setAttribute("role", "none"));
  }

  document.addEventListener("DOMContentLoaded", () => {
    unlistSignatures();
    nameToggles();
    reachScrolled();
    new ResizeObserver(reachScrolled).observe(document.body);
    frames().forEach((frame) => frame.addEventListener("load", () => tell(frame)));
    document.querySelectorAll('.bd-article img[src$=".gif"]').forEach(pausable);
  });
  window.addEventListener("message", ({ data }) => data && data.explorerReady && frames().forEach(tell));
  new MutationObserver(() => frames().forEach(tell)).observe(document.documentElement, { attributeFilter: ["data-theme"] });
})();
