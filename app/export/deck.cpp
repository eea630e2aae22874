// The slides of a derivation as one HTML file: a section each, shown one at a time.
#include <QCoreApplication>
#include <algorithm>
#include <string>
#include <vector>

#include "app/export/page_parts.h"
#include "app/export/slides.h"
#include "app/files/svg.h"
#include "app/scene/legend.h"

namespace blockscope {

// ---- The script and the style sheet.

const char* const kDeckScript = R"js(
'use strict';
(() => {
  const byId = id => document.getElementById(id);
  const slides = [...document.querySelectorAll('section.slide')];
  const start = Date.now();
  let at = -1;

  const show = (index, quiet) => {
    index = Math.max(0, Math.min(slides.length - 1, index));
    if (index === at) return;
    at = index;
    slides.forEach((slide, i) => { slide.hidden = i !== index; });
    byId('count').textContent = (index + 1) + ' / ' + slides.length;
    byId('back').disabled = index === 0;
    byId('forward').disabled = index === slides.length - 1;
    const notes = slides[index].querySelector('.notes');
    byId('speaker').replaceChildren(notes.content.cloneNode(true));
    byId('upcoming').textContent = index + 1 < slides.length ? slides[index + 1].dataset.title : '';
    if (quiet) return;
    byId('spoken').textContent = slides[index].dataset.spoken;
    history.replaceState(null, '', '#slide=' + (index + 1));
  };
  const toggle = name => {
    const on = document.body.classList.toggle(name);
    if (name !== 'blank') byId(name).setAttribute('aria-pressed', String(on));
    return on;
  };
  const asked = () => {
    const slide = /[?#&]slide=(\d+)/.exec(location.hash);
    if (slide) return Number(slide[1]) - 1;
    const step = /[?#&]step=(\d+)/.exec(location.hash);
    const index = step ? slides.findIndex(s => s.dataset.step === step[1]) : 0;
    return index < 0 ? slides.length - 1 : index;
  };
  const full = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen();
  };
  const forward = () => show(at + 1), back = () => show(at - 1);
  const keys = {
    ArrowRight: forward, ArrowDown: forward, PageDown: forward, ' ': forward, Enter: forward,
    ArrowLeft: back, ArrowUp: back, PageUp: back, Backspace: back,
    Home: () => show(0), End: () => show(slides.length - 1),
    n: () => toggle('noting'), b: () => toggle('blank'), '.': () => toggle('blank'),
    q: () => toggle('asking'), f: full,
    Escape: () => { for (const name of ['blank', 'asking']) if (document.body.classList.contains(name)) toggle(name); },
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onButton = event.target && event.target.tagName === 'BUTTON';
    if (onButton && (event.key === ' ' || event.key === 'Enter')) return;
    if (/^[1-4]$/.test(event.key) && document.body.classList.contains('asking') &&
        blockscopeAnswer(slides[at], Number(event.key) - 1)) return event.preventDefault();
    const action = keys[event.key] || keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    if (document.body.classList.contains('blank') && event.key.toLowerCase() !== 'b' && event.key !== '.')
      return void toggle('blank');
    action();
  });
  byId('back').addEventListener('click', back);
  byId('forward').addEventListener('click', forward);
  byId('noting').addEventListener('click', () => toggle('noting'));
  byId('asking').addEventListener('click', () => toggle('asking'));
  let touched = null;
  document.addEventListener('pointerdown', event => { touched = event.pointerType === 'touch' ? event.clientX : null; });
  document.addEventListener('pointerup', event => {
    if (touched === null) return;
    const by = event.clientX - touched;
    if (Math.abs(by) > 50) show(at + (by < 0 ? 1 : -1));
    touched = null;
  });
  addEventListener('hashchange', () => show(asked()));
  setInterval(() => {
    const seconds = Math.floor((Date.now() - start) / 1000);
    byId('clock').textContent = Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
  }, 1000);
  show(asked(), true);
})();
)js";

const char* const kDeckStyle = R"css(
:root{--paper:#fdfdfc;--panel:#f4f5f7;--ink:#1d2430;--faint:#5a6472;--line:#d5dae2;--red:#d1341f;
--made:#00805d;--bar:#aab2be;--accent:#0060c0;--u:min(1vw,1.7778vh)}
@media (prefers-color-scheme:dark){:root{--paper:#15181e;--panel:#1c2129;--ink:#e8ecf2;--faint:#a2acba;
--line:#343c49;--red:#ff6a4d;--made:#3ccfa2;--bar:#5b6675;--accent:#6ab7ff}}
*{box-sizing:border-box}
html,body{height:100%;margin:0;background:var(--paper);color:var(--ink);overflow:hidden}
body{display:grid;place-items:center;font:calc(var(--u)*1.7)/1.4 "DejaVu Sans","Bitstream Vera Sans",Verdana,sans-serif}
.noting{--u:min(.66vw,1.17vh)}
.slide{width:calc(var(--u)*100);height:calc(var(--u)*56.25);padding:calc(var(--u)*2) calc(var(--u)*3.4);
display:grid;grid-template-rows:auto 1fr;position:relative}
.slide[hidden]{display:none}
.over{margin:0;color:var(--faint);font-size:calc(var(--u)*1.3);min-height:1.4em}
h1{font-size:calc(var(--u)*4.6);margin:calc(var(--u)*3) 0 0}
h2{font-size:calc(var(--u)*2.3);line-height:1.25;margin:0 0 calc(var(--u)*1)}
.body{display:grid;grid-template-columns:minmax(0,56fr) minmax(0,34fr);grid-template-rows:auto minmax(0,1fr);
gap:calc(var(--u)*1) calc(var(--u)*3.4);min-height:0}
.title .body{grid-template-columns:1fr 1fr;grid-template-rows:auto;align-items:start;padding-top:calc(var(--u)*3)}
.end .body{grid-template-columns:3fr 2fr;grid-template-rows:auto;align-items:start;padding-top:calc(var(--u)*2)}
.legend .body{display:block}
.words{min-height:calc(var(--u)*10.6)}
.bytes dt{margin-top:0}
.bytes .counts{margin:.3em 0 0}
.words p{margin:0 0 calc(var(--u)*1)}
.words ol{margin:0;padding:0;list-style:none;font-size:calc(var(--u)*1.35)}
.words ol li{margin:0 0 .5em}
.called{color:var(--made);font-weight:bold}
.picture{grid-column:1/3;width:100%;height:100%;min-height:0}
.slide svg text,.shared text{font-family:"DejaVu Sans","Bitstream Vera Sans",Verdana,sans-serif}
.shared{position:absolute}
pre{margin:0;font:calc(var(--u)*1.45)/1.5 "DejaVu Sans Mono","Bitstream Vera Sans Mono",Menlo,Consolas,monospace;
white-space:pre-wrap}
dl{margin:0}
dt{color:var(--faint);font-size:calc(var(--u)*1.3);margin-top:calc(var(--u)*1)}
dd{display:flex;align-items:center;gap:.6em;margin:.2em 0}
.title dd,.end dd{font-size:calc(var(--u)*2.1)}
dd i{height:1.05em;min-width:3px;border-radius:3px;background:var(--bar)}
dd.after{font-weight:bold}
dd.after i{background:var(--made)}
.counts{color:var(--faint);font-size:calc(var(--u)*1.3)}
.signs{display:grid;grid-template-columns:repeat(3,1fr);gap:calc(var(--u)*.8) calc(var(--u)*2);margin:calc(var(--u)*1.5) 0 0;
padding:0;list-style:none;font-size:calc(var(--u)*1.45)}
.signs li{display:flex;align-items:center;gap:.8em}
.signs svg{width:calc(var(--u)*8);height:calc(var(--u)*3.9);flex:none}
.slide .link{position:absolute;left:calc(var(--u)*3.4);bottom:calc(var(--u)*.25);margin:0;font-size:calc(var(--u)*1.1);
line-height:1.3}
.light,.type{pointer-events:none}
nav{position:fixed;right:10px;bottom:8px;display:flex;align-items:center;gap:6px;font-size:13px;color:var(--faint);
opacity:.65}
nav:hover,nav:focus-within{opacity:1}
button{min-width:34px;height:30px;border:1px solid var(--line);border-radius:7px;background:var(--panel);color:var(--ink);
font:inherit;cursor:pointer}
button:disabled{opacity:.4;cursor:default}
button[aria-pressed=true]{border-color:var(--accent);border-width:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
#notes{display:none}
.noting{grid-template-rows:auto 1fr}
.noting #notes{display:block;width:calc(var(--u)*100);align-self:stretch;overflow:auto;padding:14px 0;
border-top:2px solid var(--line);font-size:18px}
#notes header{display:flex;gap:24px;color:var(--faint);font-size:15px}
#notes p{margin:8px 0}
#clock{font-variant-numeric:tabular-nums}
.blank>*{visibility:hidden}
.blank,.blank body{background:#000}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media print{@page{size:13.333in 7.5in;margin:0}html,body{display:block;height:auto;overflow:visible}
:root{--u:.13333in}.slide,.slide[hidden]{display:grid;break-after:page}nav,#notes,.ask{display:none}}
)css";

namespace {

struct Deck {
    Q_DECLARE_TR_FUNCTIONS(Deck)
};

std::string bars(const std::vector<SlideGain>& gains) {
    std::string text;
    for (const SlideGain& gain : gains) {
        const double most = gain.share > 1 ? gain.share : 1;
        const auto bar = [&](double share, const QString& words, const char* kind) {
            return tagged("dd", kind,
                          "<i style=\"width:" + svg_number(60 * share) + "%\"></i>" +
                              tagged("span", "", in_html(words)));
        };
        text += tagged("dt", "", in_html(gain.what)) + bar(1 / most, gain.before, "class=\"before\"") +
                bar(gain.share / most, gain.after, "class=\"after\"");
    }
    return tagged("dl", "", text);
}

QString title_of(const Derivation& derivation, const Slide& slide) {
    switch (slide.kind) {
        case Slide::Kind::Title:
            return QString::fromStdString(derivation.name);
        case Slide::Kind::Legend:
            return Deck::tr("How to read the pictures");
        case Slide::Kind::Stage:
            return heading_of(derivation.stages[static_cast<std::size_t>(slide.stage)]);
        case Slide::Kind::End:
            break;
    }
    const QString called = QString::fromStdString(derivation.stages.back().called);
    return called.isEmpty() ? Deck::tr("Before and after") : called.section(QLatin1Char(':'), 0, 0);
}

std::string title_body(const Derivation& derivation) {
    return tagged("pre", "", xml_escaped(derivation.source)) + bars(gains_of(derivation));
}

std::string legend_body(const Derivation& derivation, PageDrawings& drawings) {
    return tagged("ul", "class=\"signs\"", drawings.legend(signs_of(derivation)));
}

std::string told(const Stage& stage) {
    if (stage.rewrites == 0)
        return tagged(
            "p", "",
            in_html(Deck::tr("Every operator is a kernel of its own: each wide red edge is a trip through "
                             "global memory.")));
    if (stage.steps.empty())
        return tagged("p", "class=\"told\"",
                      xml_escaped(stage.told.empty() ? stage.explanation : stage.told));
    std::string items;
    for (const std::string& step : stage.steps) items += tagged("li", "", xml_escaped(step));
    return tagged("ol", "class=\"told\"", items);
}

// Small pictures are not blown up beyond what can be read from afar.
Rect deck_view(const SlideView& view) {
    constexpr double kMost = 1.5;
    const Size least{slide_shape().room.width * kSlideScale / kMost,
                     slide_shape().room.height * kSlideScale / kMost};
    const double width = std::max(view.part.width, least.width);
    const double height = std::max(view.part.height, least.height);
    const Point center = view.part.center();
    return {center.x - width / 2, center.y - height / 2, width, height};
}

std::string stage_body(const Stage& stage, PageDrawings& drawings) {
    const SlideView view = slide_view(stage);
    const QString label = Deck::tr("Block program after step %1").arg(stage.number);
    const double share = stage.bytes_before > 0 ? static_cast<double>(stage.bytes_after) /
                                                      static_cast<double>(stage.bytes_before)
                                                : 1;
    const QString moved = moved_text(stage);
    const SlideGain gain{Deck::tr("Moved between global and local memory"),
                         moved.section(QStringLiteral(" → "), 0, 0), moved.section(QStringLiteral(" → "), -1),
                         share};
    const QString edges =
        stage.buffered_before == stage.buffered_after
            ? Deck::tr("red edges: %1").arg(stage.buffered_after)
            : Deck::tr("red edges: %1 → %2").arg(stage.buffered_before).arg(stage.buffered_after);
    std::string words = told(stage);
    if (!stage.called.empty()) words += tagged("p", "class=\"called\"", xml_escaped(stage.called));
    words += questions_html(stage);
    const std::string bytes =
        bars({gain}) +
        tagged("p", "class=\"counts\"", in_html(Deck::tr("%1 · kernels: %2").arg(edges).arg(stage.launches)));
    return tagged("div", "class=\"words\"", words) + tagged("div", "class=\"bytes\"", bytes) +
           drawings.add(*stage.picture, lights_of(stage), deck_view(view),
                        "class=\"picture\" role=\"img\" aria-label=\"" + in_html(label) + "\"",
                        PageDrawings::Parts::Named) +
           link_html(stage);
}

std::string end_body(const Derivation& derivation) {
    const Stage& last = derivation.stages.back();
    const std::string rest = last.called.empty() ? derivation.stopped : last.called;
    return bars(gains_of(derivation)) + tagged("p", "", xml_escaped(rest));
}

std::string body_of(const Derivation& derivation, const Slide& slide, PageDrawings& drawings) {
    switch (slide.kind) {
        case Slide::Kind::Title:
            return title_body(derivation);
        case Slide::Kind::Legend:
            return legend_body(derivation, drawings);
        case Slide::Kind::Stage:
            return stage_body(derivation.stages[static_cast<std::size_t>(slide.stage)], drawings);
        case Slide::Kind::End:
            break;
    }
    return end_body(derivation);
}

std::string over_of(const Derivation& derivation, const Slide& slide) {
    if (slide.kind == Slide::Kind::Title)
        return in_html(Deck::tr("Fused in %1 steps").arg(derivation.stages.back().number));
    if (slide.kind != Slide::Kind::Stage) return xml_escaped(derivation.name);
    const Stage& stage = derivation.stages[static_cast<std::size_t>(slide.stage)];
    return stage.rewrites > 1 ? xml_escaped(derivation.name) : xml_escaped(stage.chapter);
}

std::string section_of(const Derivation& derivation, const Slide& slide, PageDrawings& drawings) {
    static const char* const kNames[] = {"title", "legend", "stage", "end"};
    std::string notes;
    for (const QString& note : notes_of(derivation, slide)) notes += tagged("p", "", in_html(note));
    const QString title = title_of(derivation, slide);
    QString spoken = title;
    std::string attributes = std::string("class=\"slide ") + kNames[static_cast<int>(slide.kind)] + "\"";
    if (slide.kind == Slide::Kind::Stage) {
        const Stage& stage = derivation.stages[static_cast<std::size_t>(slide.stage)];
        attributes += " data-step=\"" + std::to_string(stage.number) + "\"";
        spoken += QStringLiteral(". ") + QString::fromStdString(stage.told);
    }
    attributes +=
        " data-title=\"" + in_html(title) + "\" data-spoken=\"" + in_html(spoken) + "\" hidden=\"hidden\"";
    const char* heading = slide.kind == Slide::Kind::Title ? "h1" : "h2";
    const std::string head =
        tagged("p", "class=\"over\"", over_of(derivation, slide)) + tagged(heading, "", in_html(title));
    return tagged("section", attributes,
                  tagged("header", "", head) +
                      tagged("div", "class=\"body\"", body_of(derivation, slide, drawings)) +
                      tagged("template", "class=\"notes\"", notes)) +
           "\n";
}

std::string deck_button(const char* id, const QString& label, const QString& key, const char* face) {
    return tagged("button",
                  std::string("type=\"button\" id=\"") + id + "\" title=\"" +
                      in_html(QStringLiteral("%1 (%2)").arg(label, key)) + "\" aria-label=\"" +
                      in_html(label) + "\"",
                  face);
}

std::string deck_controls() {
    return tagged("nav", "aria-label=\"" + in_html(Deck::tr("Slides")) + "\"",
                  deck_button("back", Deck::tr("Previous slide"), Deck::tr("Left arrow"), "&#8592;") +
                      "<output id=\"count\"></output>" +
                      deck_button("forward", Deck::tr("Next slide"), Deck::tr("Right arrow"), "&#8594;") +
                      deck_button("asking", Deck::tr("Questions"), QStringLiteral("Q"), "?") +
                      "<output id=\"tally\"></output>" +
                      deck_button("noting", Deck::tr("Notes"), QStringLiteral("N"), "&#9776;"));
}

std::string notes_view() {
    return tagged("div", "id=\"notes\"",
                  tagged("header", "",
                         tagged("span", "id=\"clock\"", "0:00") +
                             tagged("span", "",
                                    in_html(Deck::tr("Next:")) + " " + tagged("b", "id=\"upcoming\"", ""))) +
                      tagged("div", "id=\"speaker\"", ""));
}

}  // namespace

std::string deck_page(const Derivation& derivation) {
    PageDrawings drawings;
    std::string sections;
    for (const Slide& slide : slides_of(derivation)) sections += section_of(derivation, slide, drawings);
    const std::string body =
        drawings.definitions() + tagged("main", "", sections) + notes_view() + deck_controls() +
        "<p id=\"spoken\" class=\"hidden\" role=\"status\" aria-live=\"polite\"></p>\n<noscript><p>" +
        in_html(Deck::tr("These slides change with JavaScript, which is switched off.")) +
        "</p></noscript>\n<script>//<![CDATA[\n" + kQuestionScript + kLinkScript + kDeckScript +
        "//]]></script>\n";
    //: The code of the language of this translation.
    return html_page(derivation.name, Deck::tr("en"), drawings,
                     std::string(kDeckStyle) + kQuestionStyle + kLinkStyle, body);
}

}  // namespace blockscope
