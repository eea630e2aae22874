#include "app/export/page.h"

#include "app/export/page_drawing.h"

namespace blockscope {

namespace {

std::string element(const std::string& name, const std::string& attributes, const std::string& content) {
    return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + content + "</" + name + ">";
}

std::string buffered(const Stage& stage) {
    const std::string after = std::to_string(stage.buffered_after);
    if (stage.rewrites == 0) return after + " buffered edges";
    return std::to_string(stage.buffered_before) + " → " + after + " buffered edges";
}

std::string over_line(const Stage& stage) {
    std::string text = "Step " + std::to_string(stage.number);
    if (!stage.rule.empty()) text += " · rule " + stage.rule;
    return text;
}

std::string chips(const Stage& stage) {
    const bool fewer = stage.buffered_after < stage.buffered_before;
    std::string text =
        element("span", fewer ? "class=\"chip fewer\"" : "class=\"chip\"", xml_escaped(buffered(stage)));
    if (stage.snapshot > 0)
        text += element("span", "class=\"chip snapshot\"", "snapshot " + std::to_string(stage.snapshot));
    return element("p", "class=\"chips\"", text);
}

// The note's paragraphs; its Markdown stays as it was typed.
std::string note(const std::string& text) {
    if (text.empty()) return {};
    return element("blockquote", "", xml_escaped(text));
}

std::string words(const Stage& stage) {
    return element("p", "class=\"over\"", xml_escaped(over_line(stage))) +
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

std::string spoken(const Stage& stage) {
    return over_line(stage) + ". " + stage.title + ". " + buffered(stage) + ". " +
           (stage.snapshot > 0 ? "Snapshot " + std::to_string(stage.snapshot) + ". " : "") +
           stage.explanation;
}

std::string stage_template(const Stage& stage, PageDrawings& drawings) {
    const std::string attributes = "class=\"stage\" data-step=\"" + std::to_string(stage.number) +
                                   "\" data-snapshot=\"" + std::to_string(stage.snapshot) +
                                   "\" data-spoken=\"" + xml_escaped(spoken(stage)) + "\"";
    return element("template", attributes,
                   drawings.add(stage) + element("div", "class=\"words\"", words(stage)) + listing(stage)) +
           "\n";
}

// A drawn sign, so that no font has to have it.
std::string sign(const char* path) {
    return std::string("<svg class=\"sign\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"") + path +
           "\"/></svg>";
}

std::string button(const char* id, const char* label, const char* path, const char* key) {
    return element("button",
                   std::string("type=\"button\" id=\"") + id + "\" title=\"" + label + " (" + key +
                       ")\" aria-label=\"" + label + "\"",
                   sign(path));
}

std::string controls(const Derivation& derivation) {
    std::string marks;
    const auto last = static_cast<double>(derivation.stages.size() - 1);
    for (std::size_t i = 0; i < derivation.stages.size(); ++i)
        if (derivation.stages[i].snapshot > 0 && last > 0)
            marks += "<i style=\"left:" + svg_number(100.0 * static_cast<double>(i) / last) + "%\"></i>";
    return element("nav", "aria-label=\"Steps\"",
                   button("first", "First state", "M3 3v10M13 3v10L5 8z", "Home") +
                       button("back", "Previous step", "M12 3v10L4 8z", "Left arrow") +
                       element("div", "class=\"track\"",
                               element("div", "class=\"marks\" aria-hidden=\"true\"", marks) +
                                   "<input type=\"range\" id=\"slider\" min=\"0\" max=\"" + svg_number(last) +
                                   "\" value=\"0\" aria-label=\"Step\" />") +
                       element("output", "id=\"count\" for=\"slider\"", "") +
                       button("forward", "Next step", "M4 3v10l8-5z", "Right arrow") +
                       button("snapshot", "Next snapshot", "M8 2l6 6-6 6-6-6z", "S") +
                       button("last", "Last state", "M13 3v10M3 3v10l8-5z", "End"));
}

std::string summary(const Derivation& derivation) {
    const Stage& last = derivation.stages.back();
    return std::to_string(last.number) + " steps, buffered edges " +
           std::to_string(derivation.stages.front().buffered_after) + " → " +
           std::to_string(last.buffered_after);
}

const char* const kKeys =
    "<kbd>←</kbd> <kbd>→</kbd> step · <kbd>S</kbd> next snapshot · <kbd>Home</kbd> <kbd>End</kbd> · "
    "<kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom · drag to pan";

std::string body(const Derivation& derivation, const std::string& stages, const PageDrawings& drawings) {
    return "<header>" + element("h1", "", xml_escaped(derivation.name)) +
           element("p", "", xml_escaped(summary(derivation))) +
           "<ul class=\"key\" aria-label=\"What glows\"><li class=\"match\">matched by the next step</li>"
           "<li class=\"made\">made by this step</li><li class=\"red\">buffered edge</li></ul></header>\n"
           "<main><figure id=\"figure\" tabindex=\"0\" aria-label=\"Picture\"></figure>\n"
           "<aside><section id=\"words\"></section><h3>Listing</h3><div id=\"listing\" tabindex=\"0\" "
           "aria-label=\"Listing\"></div></aside></main>\n<footer>" +
           controls(derivation) + element("p", "class=\"keys\"", kKeys) +
           "</footer>\n<p id=\"spoken\" class=\"hidden\" role=\"status\" aria-live=\"polite\"></p>\n"
           "<noscript><p>This page shows its steps with JavaScript, which is switched off.</p></noscript>\n" +
           drawings.definitions() + stages + "<script>//<![CDATA[\n" + kPageScript + "//]]></script>\n";
}

}  // namespace

std::string derivation_page(const Derivation& derivation) {
    PageDrawings drawings;
    std::string stages;
    for (const Stage& stage : derivation.stages) stages += stage_template(stage, drawings);
    const std::string style = ":root{" + drawings.colours(false) +
                              "}\n@media (prefers-color-scheme:dark){:root{" + drawings.colours(true) +
                              "}}\n" + kPageStyle;
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'; script-src 'unsafe-inline'\" />\n"
           "<meta name=\"color-scheme\" content=\"light dark\" />\n<title>" +
           xml_escaped(derivation.name) + "</title>\n<style>\n" + style + "</style>\n</head>\n<body>\n" +
           body(derivation, stages, drawings) + "</body>\n</html>\n";
}

}  // namespace blockscope
