#include "app/export/page_parts.h"

#include <QCoreApplication>
#include <QPainter>

#include "app/files/svg.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

std::vector<VectorItem> vector_items(const Picture& picture, const Lights& lights, const Theme& theme) {
    VectorDevice device;
    QPainter painter(&device);
    paint_parts(painter, device, picture, theme, lights, picture.geometry.bounds, 1, false);
    painter.end();
    return device.items();
}

}  // namespace

std::string PageDrawings::add(const Picture& picture, const Lights& lights, const Rect& view,
                              const std::string& attributes, Parts parts) {
    // The same drawing in both themes differs in colours alone.
    const std::vector<VectorItem> light = vector_items(picture, lights, Theme::light());
    const std::vector<VectorItem> dark = vector_items(picture, lights, Theme::dark_theme());
    if (light.size() != dark.size()) throw InternalError("a picture has other parts in the dark theme");
    std::string text = "<svg " + attributes + " viewBox=\"" + svg_number(view.x) + " " + svg_number(view.y) +
                       " " + svg_number(view.width) + " " + svg_number(view.height) + "\">";
    for (std::size_t i = 0; i < light.size(); ++i) {
        if (light[i].elements.empty()) continue;
        text += "<use href=\"#" + definition(light[i], dark[i]) + "\"";
        if (parts == Parts::Named) text += light[i].attributes;
        if (parts == Parts::Nameless || light[i].title.empty())
            text += "/>";
        else
            text += "><title>" + xml_escaped(light[i].title) + "</title></use>";
    }
    return text + "</svg>";
}

std::string PageDrawings::definitions() const {
    std::string text = "<svg class=\"shared\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n";
    for (std::size_t i = 0; i < definitions_.size(); ++i)
        text += "<g id=\"p" + std::to_string(i) + "\">" + definitions_[i] + "</g>\n";
    return text + "</defs></svg>\n";
}

std::string PageDrawings::colours(bool dark) const {
    std::string text;
    for (const auto& [pair, index] : colours_)
        text += "--c" + std::to_string(index) + ":" + (dark ? pair.second : pair.first) + ";";
    return text;
}

std::string PageDrawings::colour(const QColor& light, const QColor& dark) {
    const auto entry =
        colours_.try_emplace({plain_colour(light), plain_colour(dark)}, static_cast<int>(colours_.size()));
    return "var(--c" + std::to_string(entry.first->second) + ")";
}

std::string PageDrawings::definition(const VectorItem& light, const VectorItem& dark) {
    std::string text;
    for (std::size_t i = 0; i < light.elements.size(); ++i) {
        const VectorElement& a = light.elements[i];
        const VectorElement& b = dark.elements.at(i);
        text += svg_element(a, a.fill.alpha() > 0 ? colour(a.fill, b.fill) : "",
                            a.stroke.alpha() > 0 ? colour(a.stroke, b.stroke) : "");
    }
    const auto [entry, made] = known_.try_emplace(text, static_cast<int>(definitions_.size()));
    if (made) definitions_.push_back(text);
    return "p" + std::to_string(entry->second);
}

std::string PageDrawings::legend(const Signs& signs) {
    std::string items;
    for (const LegendEntry& entry : legend_entries(signs)) {
        Picture small = entry.picture;
        small.geometry.bounds = {-4, -4, kLegendCell.width + 8, kLegendCell.height + 8};
        items +=
            tagged("li", "",
                   add(small, entry.lights, small.geometry.bounds, "aria-hidden=\"true\"", Parts::Nameless) +
                       tagged("span", "", in_html(entry.text)));
    }
    return items;
}

std::string in_html(const QString& text) {
    return xml_escaped(text.toStdString());
}

std::string tagged(const std::string& name, const std::string& attributes, const std::string& content) {
    return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + content + "</" + name + ">";
}

std::string html_page(const std::string& title, const QString& language, const PageDrawings& drawings,
                      const std::string& style, const std::string& body) {
    return "<!DOCTYPE html>\n<html lang=\"" + in_html(language) +
           "\">\n<head>\n<meta charset=\"utf-8\" />\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'; script-src 'unsafe-inline'\" />\n"
           "<meta name=\"color-scheme\" content=\"light dark\" />\n<title>" +
           xml_escaped(title) + "</title>\n<style>\n:root{" + drawings.colours(false) +
           "}\n@media (prefers-color-scheme:dark){:root{" + drawings.colours(true) + "}}\n" + style +
           "</style>\n</head>\n<body>\n" + body + "</body>\n</html>\n";
}

// A page from a file may not be allowed to use the clipboard; then what is selected is copied.
const char* const kLinkScript = R"js(
document.addEventListener('click', event => {
  const button = event.target.closest('button.copy');
  if (!button) return;
  const code = button.closest('.link').querySelectorAll('code')[0];
  const done = () => { button.textContent = button.dataset.done; };
  const byHand = () => {
    getSelection().selectAllChildren(code);
    if (document.execCommand('copy')) done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, byHand);
  else byHand();
});
)js";

const char* const kLinkStyle = R"css(
.link{display:flex;align-items:center;gap:.7em;color:var(--faint)}
.link code{font-family:"DejaVu Sans Mono","Bitstream Vera Sans Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere;
user-select:all}
.link button{min-width:0;height:auto;padding:.05em .7em;font-size:inherit}
)css";

namespace {

struct PageLink {
    Q_DECLARE_TR_FUNCTIONS(PageLink)
};

}  // namespace

std::string link_html(const Stage& stage) {
    if (stage.link.empty()) return {};
    const std::string done = in_html(PageLink::tr("Copied"));
    const std::string title = in_html(PageLink::tr("Copy the command that opens this state in Blockscope"));
    return tagged("p", "class=\"link\"",
                  tagged("code", "", xml_escaped(stage.link)) +
                      tagged("button",
                             "type=\"button\" class=\"copy\" title=\"" + title + "\" aria-label=\"" + title +
                                 "\" data-done=\"" + done + "\"",
                             in_html(PageLink::tr("Copy"))));
}

const char* const kQuestionScript = R"js(
const blockscopeAnswer = (() => {
  let right = 0, all = 0;
  const answer = (within, choice) => {
    const ask = within.querySelectorAll('.ask')[0];
    if (!ask || ask.classList.contains('answered')) return false;
    const buttons = [...ask.querySelectorAll('button')];
    if (choice < 0 || choice >= buttons.length) return false;
    ask.classList.add('answered');
    (ask.closest('section.slide') || document.body).classList.add('told');
    const correct = Number(ask.dataset.right);
    buttons.forEach((button, i) => {
      button.disabled = true;
      if (i === correct) button.classList.add('right');
      else if (i === choice) button.classList.add('wrong');
    });
    all += 1;
    if (choice === correct) right += 1;
    ask.querySelectorAll('.verdict')[0].textContent = choice === correct ? ask.dataset.yes : ask.dataset.no;
    document.getElementById('tally').textContent = right + ' / ' + all;
    return true;
  };
  document.addEventListener('click', event => {
    const button = event.target.closest('button'), ask = button && button.closest('.ask');
    if (ask) answer(ask.parentElement, [...ask.querySelectorAll('button')].indexOf(button));
  });
  return answer;
})();
)js";

const char* const kQuestionStyle = R"css(
.ask{display:none;margin:.4em 0 1em;padding:.6em .8em;border:2px solid var(--accent);border-radius:8px}
.asking .ask{display:block}
.asking:not(.told) figure .matched,.asking .slide:not(.told) .matched{display:none}
.ask p{margin:0 0 .5em;font-weight:bold}
.ask ol{margin:0;padding:0;list-style:none;display:grid;gap:.35em}
.ask li button{width:100%;height:auto;min-height:2em;padding:.25em .7em;text-align:left;white-space:normal}
.ask button.right{border-color:var(--made);border-width:2px;opacity:1;font-weight:bold}
.ask button.right::after{content:" \2713"}
.ask button.wrong{border-color:var(--red);border-width:2px;opacity:1}
.ask button.wrong::after{content:" \2717"}
.ask .verdict{margin:.5em 0 0;font-weight:normal;min-height:1.4em}
)css";

namespace {

struct PageQuestion {
    Q_DECLARE_TR_FUNCTIONS(PageQuestion)
};

}  // namespace

std::string questions_html(const Stage& stage) {
    if (stage.questions.empty()) return {};
    const StageQuestion& question = stage.questions.front();
    const QString right = QString::fromStdString(question.choices[static_cast<std::size_t>(question.right)]);
    const auto attribute = [](const char* name, const QString& text) {
        return std::string(" ") + name + "=\"" + xml_escaped(text.toStdString()) + "\"";
    };
    std::string text = "<div class=\"ask\" data-right=\"" + std::to_string(question.right) + "\"" +
                       attribute("data-yes", PageQuestion::tr("Right. The next step shows why.")) +
                       attribute("data-no", PageQuestion::tr("No: %1. The next step shows why.").arg(right)) +
                       "><p>" + xml_escaped(question.asked) + "</p><ol>";
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        text += "<li><button type=\"button\">" + std::to_string(i + 1) + "  " +
                xml_escaped(question.choices[i]) + "</button></li>";
    return text + "</ol><p class=\"verdict\" role=\"status\"></p></div>";
}

}  // namespace blockscope
