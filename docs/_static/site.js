// Send embedded explorers the theme of this page, let readers pause animations and enlarge figures, fit tables and code
// to phones, and help keyboards and screen readers.

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
    still.setAttribute("role", "img");
    still.setAttribute("aria-label", image.alt || "First frame of the animation");
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

  const THUMBNAILS = ".pausable, table, .sd-card, .hero";

  /** Link a figure to its file once it is shown smaller than the file. */
  function linkFigure(image) {
    if (image.closest(`a, ${THUMBNAILS}`)) return;
    const observer = new ResizeObserver(() => {
      if (!image.clientWidth || image.naturalWidth < 1.1 * image.clientWidth) return;
      observer.disconnect();
      const link = document.createElement("a");
      link.className = "full-size";
      link.href = image.src;
      link.setAttribute("aria-label", image.alt ? `Full size: ${image.alt}` : "Full size of the figure");
      image.replaceWith(link);
      link.append(image);
    });
    observer.observe(image);
  }

  const NUMBER = /^(?=.{1,24}$)(?:[\d\s.,:/%±×=+−–()-]|\b(?:of|to|p)\b)+$/; // also “30 of 50” and “17% to 42%”
  const LONGEST = { text: 24, table: 32 }; // characters of code that is not broken

  /** Mark numbers and text in the cells of tables by length, and code that fits on a line of a phone. */
  function markCells() {
    document.querySelectorAll(".bd-article :is(td, th)").forEach((cell) => {
      const text = cell.textContent.trim();
      if (NUMBER.test(text)) cell.classList.add("number");
      else if (text.length > 16 && !cell.querySelector("img")) {
        cell.classList.add(text.length > 160 ? "paragraph" : text.length > 36 ? "text" : "phrase");
      }
    });
    document.querySelectorAll(".bd-article code .pre").forEach((word) => {
      if (word.closest("h1, h2, h3, pre, .sig, .sd-card")) return;
      const cell = word.closest("td, th");
      if (word.textContent.length <= LONGEST.text) word.classList.add("unbroken");
      if (cell && word.parentElement.textContent.length <= LONGEST.table) word.parentElement.classList.add("unbroken");
    });
  }

  /** Show on which sides a table can be scrolled. */
  function showScroll({ target: table }) {
    const rest = table.scrollWidth - table.clientWidth - table.scrollLeft;
    table.classList.toggle("more-left", table.scrollLeft > 1);
    table.classList.toggle("more-right", rest > 1);
  }

  /** Let the keyboard reach everything that scrolls sideways. */
  function reachScrolled() {
    document.querySelectorAll(".bd-article table, .bd-article pre, .bd-article .cell_output, .bd-article .math").forEach((part) => {
      if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
      if (part.matches("table")) showScroll({ target: part });
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
    markCells();
    reachScrolled();
    document.querySelectorAll(".bd-article table").forEach((table) => table.addEventListener("scroll", showScroll));
    new ResizeObserver(reachScrolled).observe(document.body);
    frames().forEach((frame) => frame.addEventListener("load", () => tell(frame)));
    document.querySelectorAll('.bd-article img[src$=".gif"]').forEach(pausable);
    document.querySelectorAll(".bd-article img").forEach(linkFigure);
  });
  window.addEventListener("message", ({ data }) => data && data.explorerReady && frames().forEach(tell));
  new MutationObserver(() => frames().forEach(tell)).observe(document.documentElement, { attributeFilter: ["data-theme"] });
})();
