#include "app/export/page.h"

namespace blockscope {

const char* const kPageScript = R"js(
'use strict';
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const byId = id => document.getElementById(id);
  const stages = [...document.querySelectorAll('template.stage')];
  const figure = byId('figure'), words = byId('words'), listing = byId('listing'), slider = byId('slider');
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const kMostZoom = 1.3;       // pictures are not blown up beyond this by themselves
  const kGlide = 280;          // milliseconds
  let at = -1, svg = null, bounds = null, view = null, zoomed = false, frame = 0;

  // ---- The part of the picture that is seen, as [x, y, width, height] in picture coordinates.
  const fitted = () => {
    const w = Math.max(figure.clientWidth, 1), h = Math.max(figure.clientHeight, 1);
    const scale = Math.min(w / bounds[2], h / bounds[3], kMostZoom);
    return [bounds[0] + bounds[2] / 2 - w / scale / 2, bounds[1] + bounds[3] / 2 - h / scale / 2, w / scale, h / scale];
  };
  const show = next => { view = next; svg.setAttribute('viewBox', next.join(' ')); };
  const glide = (from, to) => {
    cancelAnimationFrame(frame);
    if (!from || still.matches) return show(to);
    const start = performance.now();
    const move = now => {
      const t = Math.min((now - start) / kGlide, 1), eased = t * t * (3 - 2 * t);
      show(to.map((v, i) => from[i] + (v - from[i]) * eased));
      if (t < 1) frame = requestAnimationFrame(move);
    };
    show(from);
    frame = requestAnimationFrame(move);
  };
  const zoom = (factor, x = 0.5, y = 0.5) => {
    cancelAnimationFrame(frame);
    zoomed = true;
    const w = view[2] / factor, h = view[3] / factor;
    show([view[0] + (view[2] - w) * x, view[1] + (view[3] - h) * y, w, h]);
  };
  const fit = () => { zoomed = false; glide(view, fitted()); };

  // ---- Steps.
  const go = (index, quiet) => {
    index = Math.max(0, Math.min(stages.length - 1, index));
    if (index === at) return;
    const stage = stages[index], parts = stage.content.cloneNode(true).children, before = view;
    at = index;
    const [picture, text, lines] = parts;
    svg = picture;
    bounds = picture.getAttribute('viewBox').split(' ').map(Number);
    figure.replaceChildren(picture);
    words.replaceChildren(text);
    listing.replaceChildren(lines);
    if (zoomed) show(before); else glide(before, fitted());
    slider.value = index;
    slider.setAttribute('aria-valuetext', stage.dataset.spoken);
    byId('count').textContent = stage.dataset.step + ' / ' + stages[stages.length - 1].dataset.step;
    for (const id of ['first', 'back']) byId(id).disabled = index === 0;
    for (const id of ['forward', 'last', 'snapshot']) byId(id).disabled = index === stages.length - 1;
    if (!quiet) {
      byId('spoken').textContent = stage.dataset.spoken;
      history.replaceState(null, '', '#step=' + stage.dataset.step);
    }
  };
  const nextSnapshot = () => {
    const next = stages.findIndex((s, i) => i > at && s.dataset.snapshot !== '0');
    go(next < 0 ? stages.length - 1 : next);
  };
  const asked = () => {
    const found = /[?#&]step=(\d+)/.exec(location.hash) || /[?&]step=(\d+)/.exec(location.search);
    if (!found) return 0;
    const index = stages.findIndex(s => Number(s.dataset.step) >= Number(found[1]));
    return index < 0 ? stages.length - 1 : index;
  };

  // ---- Lines, nodes and edges that belong together.
  const clear = () => {
    for (const ring of svg.querySelectorAll('.ring')) ring.remove();
    for (const on of document.querySelectorAll('.on')) on.classList.remove('on');
  };
  const light = (nodes, edge) => {
    clear();
    const has = element => element.dataset.node.split(' ').some(node => nodes.includes(node));
    for (const line of listing.querySelectorAll('.line')) if (has(line)) line.classList.add('on');
    if (edge) edge.classList.add('on');
    for (const part of svg.querySelectorAll('use[data-node]')) {
      if (part.classList.contains('ports') || !has(part)) continue;
      const box = part.getBBox(), ring = document.createElementNS(SVG, 'rect');
      const place = {x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 8};
      for (const [name, value] of Object.entries(place)) ring.setAttribute(name, value);
      ring.classList.add('ring');
      svg.append(ring);
    }
  };
  const point = event => {
    const part = event.target.closest('[data-node],[data-value]');
    if (!part) return clear();
    if (part.dataset.node) return light(part.dataset.node.split(' '));
    light([part.dataset.value.split('.')[0], part.dataset.consumer], part);
  };
  figure.addEventListener('pointerover', point);
  figure.addEventListener('pointerleave', clear);
  listing.addEventListener('pointerover', point);
  listing.addEventListener('pointerleave', clear);

  // ---- Keys, buttons, fingers.
  const actions = {
    first: () => go(0), back: () => go(at - 1), forward: () => go(at + 1),
    last: () => go(stages.length - 1), snapshot: nextSnapshot,
  };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
  slider.addEventListener('input', () => go(Number(slider.value)));
  const keys = {
    ArrowRight: actions.forward, ArrowLeft: actions.back, Home: actions.first, End: actions.last,
    s: nextSnapshot, '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), '0': fit,
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === slider) return;
    const action = keys[event.key] || keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  figure.addEventListener('wheel', event => {
    event.preventDefault();
    const place = figure.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0015), (event.clientX - place.left) / place.width,
         (event.clientY - place.top) / place.height);
  }, {passive: false});
  let grip = null;
  figure.addEventListener('pointerdown', event => {
    grip = {x: event.clientX, y: event.clientY, view: view.slice(), touch: event.pointerType === 'touch'};
  });
  addEventListener('pointermove', event => {
    if (!grip || grip.touch || !event.buttons) return;
    const scale = view[2] / figure.clientWidth;
    const dx = (event.clientX - grip.x) * scale, dy = (event.clientY - grip.y) * scale;
    if (!figure.classList.contains('dragged') && Math.hypot(dx, dy) < 4 * scale) return;
    cancelAnimationFrame(frame);
    zoomed = true;
    figure.classList.add('dragged');
    show([grip.view[0] - dx, grip.view[1] - dy, view[2], view[3]]);
  });
  addEventListener('pointerup', event => {
    figure.classList.remove('dragged');
    const dx = grip && grip.touch ? event.clientX - grip.x : 0;
    if (Math.abs(dx) > 50) go(at + (dx < 0 ? 1 : -1));
    grip = null;
  });
  figure.addEventListener('dblclick', fit);
  addEventListener('resize', () => { if (!zoomed) show(fitted()); });
  addEventListener('hashchange', () => go(asked()));
  go(asked(), true);
})();
)js";

}  // namespace blockscope
