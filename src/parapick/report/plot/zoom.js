// Panels that zoom: drag across one to see that part of it, double click to see it whole again. Panels of a figure that
// share their horizontal axis follow. Nothing is fetched or stored; without this script the panels are as they are.
(() => {
  "use strict";
  const SMALLEST = 1 / 60, DRAGGED = 6, FLAT = 14, STEPS = [1, 2, 2.5, 5, 10];

  // Ticks on round numbers between two ends, as parapick.report.plot.panel has them.
  const ticks = (low, high, most) => {
    const raw = (high - low) / most, power = 10 ** Math.floor(Math.log10(raw));
    const step = power * STEPS.find(one => one * power >= raw * (1 - 1e-9));
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (Math.abs(step / power - 2.5) < 1e-3 ? 1 : 0));
    const places = [];
    for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); i++) {
      const text = (i * step).toFixed(decimals);
      places.push([i * step, (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212")]);
    }
    return places;
  };

  const make = (kind, attributes, text = "") => {
    const element = document.createElement(kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };

  const setUp = plot => {
    const svg = plot.querySelector("svg"), panel = plot.closest(".panel");
    const [width, height] = svg.getAttribute("viewBox").split(" ").slice(2).map(Number);
    const [left, right] = plot.dataset.x.split(" ").map(Number), [low, high] = plot.dataset.y.split(" ").map(Number);
    const equal = plot.classList.contains("scaled"), grid = svg.querySelector(".grid"), lines = grid.getAttribute("d");
    const numbers = [...plot.querySelectorAll(":scope > .x, :scope > .y")];
    const share = text => (text ? parseFloat(text) / 100 : 0);
    const pinned = [...plot.querySelectorAll(":scope > .mark, :scope > .beside"), ...panel.querySelectorAll(".phases > *")]
      .map(element => [element, share(element.style.left), share(element.style.top), share(element.style.width)]);
    const whole = make("button", {type: "button", class: "whole", hidden: ""}, "whole");
    let view = [0, 0, 1, 1];

    const redraw = () => {
      const [x0, y0, x1, y1] = view, all = x1 - x0 > 0.999 && y1 - y0 > 0.999;
      svg.setAttribute("viewBox", [x0 * width, y0 * height, (x1 - x0) * width, (y1 - y0) * height].join(" "));
      plot.classList.toggle("zoomed", !all);
      whole.hidden = all;
      for (const [element, x, y, wide] of pinned) {
        const place = (x - x0) / (x1 - x0), down = (y - y0) / (y1 - y0), span = wide / (x1 - x0);
        element.style.left = 100 * place + "%";
        if (wide) element.style.width = 100 * span + "%";
        else element.style.top = 100 * down + "%";
        const inside = wide ? place > -0.001 && place + span < 1.001 : place >= 0 && place <= 1 && down >= 0 && down <= 1;
        element.style.visibility = inside ? "" : "hidden";
      }
      plot.querySelectorAll(":scope > .x, :scope > .y").forEach(element => element.remove());
      if (all) { grid.setAttribute("d", lines); plot.append(...numbers); return; }
      const ends = [left + x0 * (right - left), left + x1 * (right - left)];
      const heights = [high - y1 * (high - low), high - y0 * (high - low)];
      let across = ticks(...ends, equal ? 4 : 6);
      if (across.reduce((sum, [, text]) => sum + text.length, 0) > 18) across = ticks(...ends, 4);
      const places = across.map(([at, text]) => [(at - left) / (right - left), text]);
      const levels = ticks(...heights, equal ? 7 : 5).map(([at, text]) => [(high - at) / (high - low), text]);
      grid.setAttribute("d", places.map(([at]) => `M${at * width} 0v${height}`).join("")
        + levels.map(([at]) => `M0 ${at * height}h${width}`).join(""));
      for (const [at, text] of places) plot.append(make("span", {class: "x", style: `left:${100 * (at - x0) / (x1 - x0)}%`}, text));
      for (const [at, text] of levels) plot.append(make("span", {class: "y", style: `top:${100 * (at - y0) / (y1 - y0)}%`}, text));
    };

    const fit = (from, to) => {
      const size = Math.min(1, Math.max(to - from, SMALLEST)), start = (from + to - size) / 2;
      const moved = Math.min(Math.max(start, 0), 1 - size);
      return [moved, moved + size];
    };
    const show = (x, y) => { view = [x[0], y[0], x[1], y[1]]; redraw(); };
    const zoom = (x, y) => {
      if (equal) {
        const size = Math.max(x[1] - x[0], y[1] - y[0]), about = ends => (ends[0] + ends[1]) / 2;
        [x, y] = [[about(x) - size / 2, about(x) + size / 2], [about(y) - size / 2, about(y) + size / 2]];
      }
      [x, y] = [fit(...x), fit(...y)];
      show(x, y);
      for (const other of plot.closest(".panels").querySelectorAll(".plot"))
        if (other !== plot && !equal && other.dataset.x === plot.dataset.x && other.follow) other.follow(x);
    };
    plot.follow = x => show(x, x[1] - x[0] > 0.999 ? [0, 1] : [view[1], view[3]]);
    const reset = () => zoom([0, 1], [0, 1]);

    let start = null, box = null;
    const at = event => {
      const edge = svg.getBoundingClientRect();
      return [Math.min(Math.max(event.clientX - edge.left, 0), edge.width), Math.min(Math.max(event.clientY - edge.top, 0), edge.height), edge];
    };
    const dragged = event => {
      const [x, y, edge] = at(event), flat = Math.abs(y - start[1]) < FLAT && !equal;
      return {left: Math.min(x, start[0]), right: Math.max(x, start[0]), top: flat ? 0 : Math.min(y, start[1]),
        bottom: flat ? edge.height : Math.max(y, start[1]), edge};
    };
    const drop = () => { start = null; if (box) box.remove(); box = null; };
    plot.addEventListener("pointerdown", event => {
      if (event.button !== 0 || event.target === whole) return;
      start = at(event);
      plot.setPointerCapture(event.pointerId);
    });
    plot.addEventListener("pointermove", event => {
      if (!start) return;
      const area = dragged(event);
      if (!box && area.right - area.left < DRAGGED) return;
      if (!box) plot.append(box = make("i", {class: "chosen"}));
      Object.assign(box.style, {left: area.left + "px", top: area.top + "px",
        width: area.right - area.left + "px", height: area.bottom - area.top + "px"});
    });
    plot.addEventListener("pointerup", event => {
      if (!start) return;
      const area = dragged(event), [x0, y0, x1, y1] = view, chosen = box !== null;
      drop();
      if (!chosen) return;
      const along = (from, to, part, size) => from + (to - from) * part / size;
      zoom([along(x0, x1, area.left, area.edge.width), along(x0, x1, area.right, area.edge.width)],
        [along(y0, y1, area.top, area.edge.height), along(y0, y1, area.bottom, area.edge.height)]);
    });
    plot.addEventListener("pointercancel", drop);
    plot.addEventListener("dblclick", reset);
    whole.addEventListener("click", reset);
    plot.addEventListener("keydown", event => {
      const [x0, y0, x1, y1] = view, by = (from, to, factor) => [(from + to) / 2 - factor * (to - from) / 2, (from + to) / 2 + factor * (to - from) / 2];
      const step = 0.2 * (x1 - x0), across = {ArrowLeft: -step, ArrowRight: step}[event.key];
      if (event.key === "+" || event.key === "=") zoom(by(x0, x1, 0.5), equal ? by(y0, y1, 0.5) : [y0, y1]);
      else if (event.key === "-") zoom(by(x0, x1, 2), equal ? by(y0, y1, 2) : [y0, y1]);
      else if (event.key === "0" || event.key === "Escape") reset();
      else if (across !== undefined && x1 - x0 < 0.999) zoom([x0 + across, x1 + across], [y0, y1]);
      else return;
      event.preventDefault();
    });
    plot.tabIndex = 0;
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-label", "panel; plus and minus zoom, arrows move, 0 shows it whole");
    plot.append(whole);
  };

  const enlarge = panel => {
    const button = make("button", {type: "button", class: "enlarge", "aria-label": "larger or smaller", title: "larger or smaller"}, "\u2922");
    button.addEventListener("click", () => panel.classList.toggle("large"));
    panel.prepend(button);
  };

  document.querySelectorAll(".plot[data-x]").forEach(setUp);
  document.querySelectorAll(".wide > .panels > .panel, .small > .panels > .panel").forEach(enlarge);
  document.querySelectorAll(".zoom-hint").forEach(hint => { hint.hidden = !document.querySelector(".plot[data-x]"); });
})();
