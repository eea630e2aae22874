// A derivation as one HTML page. What the drawings of several stages have in common is written once.

#include <QCoreApplication>
#include <string>
#include <vector>

#include "app/export/derivation.h"
#include "app/export/page_parts.h"
#include "app/files/svg.h"
#include "app/scene/legend.h"
#include "app/words/words.h"

namespace blockscope {

// ---- The script and the style sheet of a page.

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
    document.body.classList.remove('told');
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
  const ask = () => byId('ask').setAttribute('aria-pressed', String(document.body.classList.toggle('asking')));
  byId('ask').addEventListener('click', ask);
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
  slider.addEventListener('input', () => go(Number(slider.value)));
  const keys = {
    ArrowRight: actions.forward, ArrowLeft: actions.back, Home: actions.first, End: actions.last,
    s: nextSnapshot, q: ask, '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), '0': fit,
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === slider) return;
    if (/^[1-4]$/.test(event.key) && document.body.classList.contains('asking') &&
        blockscopeAnswer(words, Number(event.key) - 1)) return event.preventDefault();
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
#words .link{font-size:12px;margin:14px 0 0}
.steps{margin:0 0 10px;padding-left:18px}
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
button[aria-pressed=true]{border-color:var(--accent);border-width:2px}
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

namespace {

struct Page {
    Q_DECLARE_TR_FUNCTIONS(Page)
};

QString buffered(const Stage& stage) {
    if (stage.rewrites == 0) return Page::tr("%1 buffered edges").arg(stage.buffered_after);
    return Page::tr("%1 → %2 buffered edges").arg(stage.buffered_before).arg(stage.buffered_after);
}

QString moved(const Stage& stage) {
    return Page::tr("%1 moved").arg(bytes_change(stage.bytes_before, stage.bytes_after));
}

QString over_line(const Stage& stage) {
    if (stage.rule.empty()) return Page::tr("Step %1").arg(stage.number);
    return Page::tr("Step %1 · rule %2").arg(stage.number).arg(QString::fromStdString(stage.rule));
}

std::string chips(const Stage& stage) {
    const bool fewer = stage.buffered_after < stage.buffered_before;
    std::string text =
        tagged("span", fewer ? "class=\"chip fewer\"" : "class=\"chip\"", in_html(buffered(stage)));
    const bool less = stage.bytes_after < stage.bytes_before;
    text += tagged("span", less ? "class=\"chip fewer\"" : "class=\"chip\"", in_html(moved(stage)));
    if (stage.snapshot > 0)
        text +=
            tagged("span", "class=\"chip snapshot\"", in_html(Page::tr("snapshot %1").arg(stage.snapshot)));
    return tagged("p", "class=\"chips\"", text);
}

std::string note(const std::string& text) {
    if (text.empty()) return {};
    return tagged("blockquote", "", xml_escaped(text));
}

// Of a chapter: what each of its steps did.
std::string step_list(const Stage& stage) {
    std::string text;
    for (const std::string& step : stage.steps) text += tagged("li", "", xml_escaped(step));
    return text.empty() ? text : tagged("ul", "class=\"steps\"", text);
}

std::string words(const Stage& stage) {
    const auto paragraph = [](const std::string& text) {
        return text.empty() ? std::string() : tagged("p", "", xml_escaped(text));
    };
    const std::string chapter = stage.chapter.empty() ? "" : xml_escaped(stage.chapter) + " · ";
    return tagged("p", "class=\"over\"", chapter + in_html(over_line(stage))) +
           tagged("h2", "", xml_escaped(stage.title)) + chips(stage) +
           paragraph(stage.told.empty() ? stage.explanation : stage.told) + step_list(stage) +
           paragraph(stage.called) + note(stage.note) + questions_html(stage) + link_html(stage);
}

// A line of the listing with its keyword set off.
std::string coloured(const std::string& line) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = std::min(line.find(' ', start), line.size());
    const std::string word = line.substr(start, end - start);
    const bool loop = word == "for" || word == "forall";
    const char* kind = loop                                                                        ? "loop"
                       : line.find("= load(") != std::string::npos || word.rfind("store(", 0) == 0 ? "memory"
                                                                                                   : "";
    const std::string indent(start, ' ');
    if (loop) return indent + tagged("b", "", word) + xml_escaped(line.substr(end));
    const std::string rest = xml_escaped(line.substr(start));
    return indent + (*kind != '\0' ? tagged("span", std::string("class=\"") + kind + "\"", rest) : rest);
}

// What marks a line besides its colour.
struct LineLook {
    const char* classes;
    const char* sign;
};

LineLook look_of(ListingRow::Kind kind) {
    switch (kind) {
        case ListingRow::Kind::Same:
            break;
        case ListingRow::Kind::Added:
            return {"line changed", "+"};
        case ListingRow::Kind::Changed:
            return {"line changed", "~"};
        case ListingRow::Kind::Removed:
            return {"line removed", "−"};
    }
    return {"line", " "};
}

std::string listing(const Stage& stage) {
    std::string text;
    for (const ListingRow& row : stage.listing.rows) {
        const LineLook look = look_of(row.kind);
        const std::string gutter =
            tagged("i", "", row.number > 0 ? std::to_string(row.number) : "") + tagged("u", "", look.sign);
        text += tagged(
            "span", std::string("class=\"") + look.classes + "\" data-node=\"" + to_string(row.node) + "\"",
            gutter + coloured(row.text) + "\n");
    }
    return tagged("pre", "class=\"listing\"", text);
}

QString spoken(const Stage& stage) {
    QStringList parts{over_line(stage), QString::fromStdString(stage.title), buffered(stage)};
    if (stage.snapshot > 0) parts << Page::tr("Snapshot %1").arg(stage.snapshot);
    return parts.join(QStringLiteral(". ")) + QStringLiteral(". ") +
           QString::fromStdString(stage.told.empty() ? stage.explanation : stage.told);
}

std::string picture(const Stage& stage, PageDrawings& drawings) {
    const QString label = Page::tr("Block program after step %1").arg(stage.number);
    return drawings.add(*stage.picture, lights_of(stage), stage.picture->geometry.bounds,
                        "class=\"picture\" role=\"img\" aria-label=\"" + in_html(label) + "\"",
                        PageDrawings::Parts::Named);
}

// What occurs in any of the pictures, explained.
std::string legend(const Derivation& derivation, PageDrawings& drawings) {
    return tagged("details", "class=\"legend\" open=\"open\"",
                  tagged("summary", "", in_html(Page::tr("Legend"))) +
                      tagged("ul", "", drawings.legend(signs_of(derivation))));
}

std::string stage_template(const Stage& stage, PageDrawings& drawings) {
    const std::string attributes = "class=\"stage\" data-step=\"" + std::to_string(stage.number) +
                                   "\" data-snapshot=\"" + std::to_string(stage.snapshot) +
                                   "\" data-spoken=\"" + in_html(spoken(stage)) + "\"";
    return tagged(
               "template", attributes,
               picture(stage, drawings) + tagged("div", "class=\"words\"", words(stage)) + listing(stage)) +
           "\n";
}

// A drawn sign, so that no font has to have it.
std::string sign(const char* path) {
    return std::string("<svg class=\"sign\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"") + path +
           "\"/></svg>";
}

std::string button(const char* id, const QString& label, const char* path, const QString& key) {
    return tagged("button",
                  std::string("type=\"button\" id=\"") + id + "\" title=\"" +
                      in_html(QStringLiteral("%1 (%2)").arg(label, key)) + "\" aria-label=\"" +
                      in_html(label) + "\"",
                  sign(path));
}

std::string controls(const Derivation& derivation) {
    std::string marks;
    const auto last = static_cast<double>(derivation.stages.size() - 1);
    for (std::size_t i = 0; i < derivation.stages.size(); ++i)
        if (derivation.stages[i].snapshot > 0 && last > 0)
            marks += "<i style=\"left:" + svg_number(100.0 * static_cast<double>(i) / last) + "%\"></i>";
    return tagged(
        "nav", "aria-label=\"" + in_html(Page::tr("Steps")) + "\"",
        button("first", Page::tr("First state"), "M3 3v10M13 3v10L5 8z", Page::tr("Home")) +
            button("back", Page::tr("Previous step"), "M12 3v10L4 8z", Page::tr("Left arrow")) +
            tagged("div", "class=\"track\"",
                   tagged("div", "class=\"marks\" aria-hidden=\"true\"", marks) +
                       "<input type=\"range\" id=\"slider\" min=\"0\" max=\"" + svg_number(last) +
                       "\" value=\"0\" aria-label=\"" + in_html(Page::tr("Step")) + "\" />") +
            tagged("output", "id=\"count\" for=\"slider\"", "") +
            button("forward", Page::tr("Next step"), "M4 3v10l8-5z", Page::tr("Right arrow")) +
            button("snapshot", Page::tr("Next snapshot"), "M8 2l6 6-6 6-6-6z", QStringLiteral("S")) +
            button("last", Page::tr("Last state"), "M13 3v10M3 3v10l8-5z", Page::tr("End")) +
            button("ask", Page::tr("Questions: predict the next step"),
                   "M5 6a3 3 0 1 1 4 3c-1 .5-1 1-1 2M8 13.5v.5", QStringLiteral("Q")) +
            tagged("output", "id=\"tally\"", ""));
}

QString summary(const Derivation& derivation) {
    const Stage& last = derivation.stages.back();
    return Page::tr("%1 steps, buffered edges %2 → %3")
        .arg(last.number)
        .arg(derivation.stages.front().buffered_after)
        .arg(last.buffered_after);
}

std::string keys() {
    return Page::tr(
               "<kbd>←</kbd> <kbd>→</kbd> step · <kbd>S</kbd> next snapshot · <kbd>Q</kbd> questions · "
               "<kbd>Home</kbd> "
               "<kbd>End</kbd> · <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom · drag to pan")
        .toStdString();
}

std::string body(const Derivation& derivation, const std::string& stages, PageDrawings& drawings) {
    const std::string picture = in_html(Page::tr("Picture"));
    const std::string listing = in_html(Page::tr("Listing"));
    const std::string silent =
        in_html(Page::tr("This page shows its steps with JavaScript, which is switched off."));
    const std::string explained = legend(derivation, drawings);
    return "<header>" + tagged("h1", "", xml_escaped(derivation.name)) +
           tagged("p", "", in_html(summary(derivation))) + explained +
           "</header>\n<main><figure id=\"figure\" tabindex=\"0\" aria-label=\"" + picture +
           "\"></figure>\n<aside><section id=\"words\"></section>" + tagged("h3", "", listing) +
           "<div id=\"listing\" tabindex=\"0\" aria-label=\"" + listing +
           "\"></div></aside></main>\n<footer>" + controls(derivation) +
           tagged("p", "class=\"keys\"", keys()) +
           "</footer>\n<p id=\"spoken\" class=\"hidden\" role=\"status\" aria-live=\"polite\"></p>\n" +
           "<noscript><p>" + silent + "</p></noscript>\n" + drawings.definitions() + stages +
           "<script>//<![CDATA[\n" + kQuestionScript + kLinkScript + kPageScript + "//]]></script>\n";
}

}  // namespace

std::string derivation_page(const Derivation& derivation) {
    PageDrawings drawings;
    std::string stages;
    for (const Stage& stage : derivation.stages) stages += stage_template(stage, drawings);
    const std::string content = body(derivation, stages, drawings);
    //: The code of the language of this translation.
    return html_page(derivation.name, Page::tr("en"), drawings,
                     std::string(kPageStyle) + kQuestionStyle + kLinkStyle, content);
}

}  // namespace blockscope
