// The drawings of a page: what several stages have in common is written once. Internal to app/export.
#include "app/export/page.h"

#include <QCoreApplication>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/export/derivation.h"
#include "app/files/svg.h"
#include "app/scene/legend.h"
#include "core/support/result.h"

namespace blockscope {

class PageDrawings {
public:
    // The picture as an <svg> element that refers to the definitions; `attributes` are the element's own.
    // `parts`: whether it says which nodes and values its parts are.
    enum class Parts : std::uint8_t { Named, Nameless };
    std::string add(const Picture& picture, const Lights& lights, const Rect& view,
                    const std::string& attributes, Parts parts);
    // <defs> of everything that was added.
    std::string definitions() const;
    // CSS declarations of the colours in the light or the dark theme.
    std::string colours(bool dark) const;

private:
    std::string colour(const QColor& light, const QColor& dark);
    std::string definition(const VectorItem& light, const VectorItem& dark);

    std::map<std::pair<std::string, std::string>, int> colours_;  // light and dark
    std::map<std::string, int> known_;
    std::vector<std::string> definitions_;
};

namespace {

std::vector<VectorItem> drawn(const Picture& picture, const Lights& lights, const Theme& theme) {
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
    const std::vector<VectorItem> light = drawn(picture, lights, Theme::light());
    const std::vector<VectorItem> dark = drawn(picture, lights, Theme::dark_theme());
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

namespace {

struct Page {
    Q_DECLARE_TR_FUNCTIONS(Page)
};

// Text of the page, as it stands between tags and in attributes.
std::string escaped(const QString& text) {
    return xml_escaped(text.toStdString());
}

std::string element(const std::string& name, const std::string& attributes, const std::string& content) {
    return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + content + "</" + name + ">";
}

QString buffered(const Stage& stage) {
    if (stage.rewrites == 0) return Page::tr("%1 buffered edges").arg(stage.buffered_after);
    return Page::tr("%1 → %2 buffered edges").arg(stage.buffered_before).arg(stage.buffered_after);
}

QString over_line(const Stage& stage) {
    if (stage.rule.empty()) return Page::tr("Step %1").arg(stage.number);
    return Page::tr("Step %1 · rule %2").arg(stage.number).arg(QString::fromStdString(stage.rule));
}

std::string chips(const Stage& stage) {
    const bool fewer = stage.buffered_after < stage.buffered_before;
    std::string text =
        element("span", fewer ? "class=\"chip fewer\"" : "class=\"chip\"", escaped(buffered(stage)));
    if (stage.snapshot > 0)
        text +=
            element("span", "class=\"chip snapshot\"", escaped(Page::tr("snapshot %1").arg(stage.snapshot)));
    return element("p", "class=\"chips\"", text);
}

std::string note(const std::string& text) {
    if (text.empty()) return {};
    return element("blockquote", "", xml_escaped(text));
}

std::string words(const Stage& stage) {
    return element("p", "class=\"over\"", escaped(over_line(stage))) +
           element("h2", "", xml_escaped(stage.title)) + chips(stage) +
           (stage.explanation.empty() ? "" : element("p", "", xml_escaped(stage.explanation))) +
           note(stage.note);
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
    if (loop) return indent + element("b", "", word) + xml_escaped(line.substr(end));
    const std::string rest = xml_escaped(line.substr(start));
    return indent + (*kind != '\0' ? element("span", std::string("class=\"") + kind + "\"", rest) : rest);
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
            element("i", "", row.number > 0 ? std::to_string(row.number) : "") + element("u", "", look.sign);
        text += element(
            "span", std::string("class=\"") + look.classes + "\" data-node=\"" + to_string(row.node) + "\"",
            gutter + coloured(row.text) + "\n");
    }
    return element("pre", "class=\"listing\"", text);
}

QString spoken(const Stage& stage) {
    QStringList parts{over_line(stage), QString::fromStdString(stage.title), buffered(stage)};
    if (stage.snapshot > 0) parts << Page::tr("Snapshot %1").arg(stage.snapshot);
    return parts.join(QStringLiteral(". ")) + QStringLiteral(". ") +
           QString::fromStdString(stage.explanation);
}

std::string picture(const Stage& stage, PageDrawings& drawings) {
    const QString label = Page::tr("Block program after step %1").arg(stage.number);
    return drawings.add(*stage.picture, lights_of(stage), stage.picture->geometry.bounds,
                        "class=\"picture\" role=\"img\" aria-label=\"" + escaped(label) + "\"",
                        PageDrawings::Parts::Named);
}

// What occurs in any of the pictures, explained.
std::string legend(const Derivation& derivation, PageDrawings& drawings) {
    std::string items;
    for (const LegendEntry& entry : legend_entries(signs_of(derivation))) {
        Picture small = entry.picture;
        small.geometry.bounds = {-4, -4, kLegendCell.width + 8, kLegendCell.height + 8};
        items += element("li", "",
                         drawings.add(small, entry.lights, small.geometry.bounds, "aria-hidden=\"true\"",
                                      PageDrawings::Parts::Nameless) +
                             element("span", "", escaped(entry.text)));
    }
    return element("details", "class=\"legend\" open=\"open\"",
                   element("summary", "", escaped(Page::tr("Legend"))) + element("ul", "", items));
}

std::string stage_template(const Stage& stage, PageDrawings& drawings) {
    const std::string attributes = "class=\"stage\" data-step=\"" + std::to_string(stage.number) +
                                   "\" data-snapshot=\"" + std::to_string(stage.snapshot) +
                                   "\" data-spoken=\"" + escaped(spoken(stage)) + "\"";
    return element(
               "template", attributes,
               picture(stage, drawings) + element("div", "class=\"words\"", words(stage)) + listing(stage)) +
           "\n";
}

// A drawn sign, so that no font has to have it.
std::string sign(const char* path) {
    return std::string("<svg class=\"sign\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"") + path +
           "\"/></svg>";
}

std::string button(const char* id, const QString& label, const char* path, const QString& key) {
    return element("button",
                   std::string("type=\"button\" id=\"") + id + "\" title=\"" +
                       escaped(QStringLiteral("%1 (%2)").arg(label, key)) + "\" aria-label=\"" +
                       escaped(label) + "\"",
                   sign(path));
}

std::string controls(const Derivation& derivation) {
    std::string marks;
    const auto last = static_cast<double>(derivation.stages.size() - 1);
    for (std::size_t i = 0; i < derivation.stages.size(); ++i)
        if (derivation.stages[i].snapshot > 0 && last > 0)
            marks += "<i style=\"left:" + svg_number(100.0 * static_cast<double>(i) / last) + "%\"></i>";
    return element(
        "nav", "aria-label=\"" + escaped(Page::tr("Steps")) + "\"",
        button("first", Page::tr("First state"), "M3 3v10M13 3v10L5 8z", Page::tr("Home")) +
            button("back", Page::tr("Previous step"), "M12 3v10L4 8z", Page::tr("Left arrow")) +
            element("div", "class=\"track\"",
                    element("div", "class=\"marks\" aria-hidden=\"true\"", marks) +
                        "<input type=\"range\" id=\"slider\" min=\"0\" max=\"" + svg_number(last) +
                        "\" value=\"0\" aria-label=\"" + escaped(Page::tr("Step")) + "\" />") +
            element("output", "id=\"count\" for=\"slider\"", "") +
            button("forward", Page::tr("Next step"), "M4 3v10l8-5z", Page::tr("Right arrow")) +
            button("snapshot", Page::tr("Next snapshot"), "M8 2l6 6-6 6-6-6z", QStringLiteral("S")) +
            button("last", Page::tr("Last state"), "M13 3v10M3 3v10l8-5z", Page::tr("End")));
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
               "<kbd>←</kbd> <kbd>→</kbd> step · <kbd>S</kbd> next snapshot · <kbd>Home</kbd> "
               "<kbd>End</kbd> · <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom · drag to pan")
        .toStdString();
}

std::string body(const Derivation& derivation, const std::string& stages, PageDrawings& drawings) {
    const std::string picture = escaped(Page::tr("Picture"));
    const std::string listing = escaped(Page::tr("Listing"));
    const std::string silent =
        escaped(Page::tr("This page shows its steps with JavaScript, which is switched off."));
    const std::string explained = legend(derivation, drawings);
    return "<header>" + element("h1", "", xml_escaped(derivation.name)) +
           element("p", "", escaped(summary(derivation))) + explained +
           "</header>\n<main><figure id=\"figure\" tabindex=\"0\" aria-label=\"" + picture +
           "\"></figure>\n<aside><section id=\"words\"></section>" + element("h3", "", listing) +
           "<div id=\"listing\" tabindex=\"0\" aria-label=\"" + listing +
           "\"></div></aside></main>\n<footer>" + controls(derivation) +
           element("p", "class=\"keys\"", keys()) +
           "</footer>\n<p id=\"spoken\" class=\"hidden\" role=\"status\" aria-live=\"polite\"></p>\n" +
           "<noscript><p>" + silent + "</p></noscript>\n" + drawings.definitions() + stages +
           "<script>//<![CDATA[\n" + kPageScript + "//]]></script>\n";
}

}  // namespace

std::string derivation_page(const Derivation& derivation) {
    PageDrawings drawings;
    std::string stages;
    for (const Stage& stage : derivation.stages) stages += stage_template(stage, drawings);
    const std::string content = body(derivation, stages, drawings);
    const std::string style = ":root{" + drawings.colours(false) +
                              "}\n@media (prefers-color-scheme:dark){:root{" + drawings.colours(true) +
                              "}}\n" + kPageStyle;
    return "<!DOCTYPE html>\n<html lang=\"" +
           //: The code of the language of this translation.
           escaped(Page::tr("en")) +
           "\">\n<head>\n<meta charset=\"utf-8\" />\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'; script-src 'unsafe-inline'\" />\n"
           "<meta name=\"color-scheme\" content=\"light dark\" />\n<title>" +
           xml_escaped(derivation.name) + "</title>\n<style>\n" + style + "</style>\n</head>\n<body>\n" +
           content + "</body>\n</html>\n";
}

}  // namespace blockscope
