// The script and the style sheet of a page.
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

const char* const kPageStyle = R"css(
:root{--paper:#fdfdfc;--panel:#f4f5f7;--ink:#1d2430;--faint:#5a6472;--line:#d5dae2;--red:#d1341f;
--match:#b06f00;--made:#00805d;--made-wash:#dcf2ea;--accent:#0060c0}
@media (prefers-color-scheme:dark){:root{--paper:#15181e;--panel:#1c2129;--ink:#e8ecf2;--faint:#a2acba;
--line:#343c49;--red:#ff6a4d;--match:#f0b13c;--made:#3ccfa2;--made-wash:#173a31;--accent:#6ab7ff}}
*{box-sizing:border-box}
html,body{height:100%;margin:0}
body{display:grid;grid-template-rows:auto 1fr auto;background:var(--paper);color:var(--ink);
font:15px/1.5 "DejaVu Sans","Bitstream Vera Sans",Verdana,sans-serif}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 20px;padding:12px 24px;
border-bottom:1px solid var(--line)}
h1{font-size:20px;margin:0}
header p{margin:0;color:var(--faint);font-size:13px}
.legend{margin-left:auto;font-size:12px;color:var(--faint)}
.legend[open]{flex-basis:100%}
.legend summary{width:max-content;margin-left:auto;cursor:pointer}
.legend[open] summary{margin-top:-27px}
.legend ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(210px,1fr));gap:2px 14px;margin:6px 0 0;
padding:0;list-style:none}
.legend li{display:flex;align-items:center;gap:8px}
.legend svg{width:62px;height:30px;flex:none}
main{display:grid;grid-template-columns:minmax(0,1fr) minmax(320px,440px);min-height:0}
figure{position:relative;margin:0;min-height:0;overflow:hidden;touch-action:pan-y;cursor:grab}
figure.dragged{cursor:grabbing}
figure svg{position:absolute;inset:0;width:100%;height:100%;user-select:none}
figure svg text,.shared text{font-family:"DejaVu Sans","Bitstream Vera Sans",Verdana,sans-serif}
.shared{position:absolute}
aside{display:flex;flex-direction:column;min-height:0;overflow-y:auto;background:var(--panel);
border-left:1px solid var(--line);padding:18px 22px}
.over{margin:0;color:var(--faint);font-size:13px}
h2{font-size:18px;line-height:1.3;margin:2px 0 10px}
h3{flex:none;font-size:12px;font-weight:normal;color:var(--faint);margin:18px 0 6px}
#words{flex:none;min-height:172px}
#words p{margin:0 0 10px}
.chip{display:inline-block;margin-right:8px;padding:1px 10px;border:1px solid var(--line);border-radius:11px;
font-size:12px}
.chip.fewer{border-color:var(--red);color:var(--red)}
.chip.snapshot{border-color:var(--accent);color:var(--accent)}
blockquote{margin:0;padding-left:12px;border-left:3px solid var(--accent);font-style:italic;white-space:pre-wrap}
#listing{flex:1 0 auto;overflow-x:auto;margin:0 -22px;border-top:1px solid var(--line)}
pre{margin:0;padding:8px 0;min-width:max-content;
font:12.5px/1.6 "DejaVu Sans Mono","Bitstream Vera Sans Mono",Menlo,Consolas,monospace}
.line{display:block;padding-right:22px}
.line i{display:inline-block;width:44px;padding-right:8px;text-align:right;font-style:normal;color:var(--faint)}
.line u{display:inline-block;width:16px;text-decoration:none;color:var(--made);font-weight:bold}
.line b{color:var(--accent)}
.line .memory{color:var(--red)}
.line.changed{background:var(--made-wash)}
.line.removed{color:var(--faint);text-decoration:line-through;opacity:.75}
.line.removed u{color:var(--red)}
.line.removed b,.line.removed .memory{color:inherit;font-weight:normal}
.line.on{outline:2px solid var(--accent);outline-offset:-2px}
.ring{fill:none;stroke:var(--accent);stroke-width:2.4;pointer-events:none}
use.edge.on{filter:drop-shadow(0 0 2px var(--accent)) drop-shadow(0 0 2px var(--accent))}
.light,.type{pointer-events:none}
footer{border-top:1px solid var(--line);padding:10px 24px 8px}
nav{display:flex;align-items:center;gap:8px}
button{min-width:40px;height:36px;border:1px solid var(--line);border-radius:8px;background:var(--panel);
color:var(--ink);font:inherit;cursor:pointer}
.sign{display:block;width:16px;height:16px;margin:auto;fill:currentColor;stroke:currentColor;stroke-width:1.6;
stroke-linejoin:round}
button:hover{border-color:var(--faint)}
button:disabled{opacity:.4;cursor:default}
:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
.track{position:relative;flex:1}
.track input{display:block;width:100%;margin:8px 0;accent-color:var(--accent)}
.marks{position:absolute;left:8px;right:8px;top:-5px;height:8px;pointer-events:none}
.marks i{position:absolute;width:7px;height:7px;margin-left:-3.5px;background:var(--accent);transform:rotate(45deg)}
output{min-width:64px;text-align:center;font-size:13px;color:var(--faint);font-variant-numeric:tabular-nums}
.keys{margin:6px 0 0;color:var(--faint);font-size:12px}
kbd{font:inherit;border:1px solid var(--line);border-radius:4px;padding:0 5px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:760px){html,body{height:auto}body{display:block}main{display:block}
figure{height:62vh;border-bottom:1px solid var(--line)}aside{border-left:0}.keys,.legend{display:none}
footer{position:sticky;bottom:0;background:var(--paper)}}
)css";

}  // namespace blockscope
