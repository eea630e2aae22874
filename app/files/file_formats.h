// The formats of files that Blockscope writes, one row each, with what each format can hold. The command
// line, the export dialog and the pages take the names, the endings and the writers from here. Texts of a
// state come from core/print, where each is one source with its row. No Qt: blockscope-cli names the formats,
// too.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/diagram/document.h"
#include "core/diagram/layout/drawing.h"
#include "core/json/json_io.h"
#include "core/napkin/clocks.h"
#include "core/napkin/drawings.h"
#include "core/print/print.h"

namespace blockscope {

// What a picture is painted on for a format (app/files/painting.h). A Text is written without painting: by a
// writer of its row, or by the page that offers it.
enum class FormatKind : unsigned char { Text, Vector, Pages, Pixels };

struct FileFormat {
    const char* name;              // "svg": the value of --format, and the ending of file names
    const char* title;             // "SVG": in a list of formats
    const char* help = nullptr;    // "TikZ, not of blocks": in the help of --format, for a text that needs it
    const char* ending = nullptr;  // the ending of file names, where that is not the name
    bool binary = false;           // not to be written to a terminal or into JSON
    FormatKind kind = FormatKind::Text;
    // The writers of a text: of a state of blocks, with the beginning of a comment line ...
    std::string (*state)(const BlockProgram&) = nullptr;
    const char* comment = "# ";
    // ... of a circuit, and of the clocks of a kernel, as they are ...
    std::string (*circuit)(const circuit::Circuit&) = nullptr;
    std::string (*clocks)(const circuit::Schedule&, const std::string& title) = nullptr;
    // ... and of drawings of a circuit, of clocks and of levels.
    std::string (*circuit_drawing)(const circuit::Drawing&, const std::string& title) = nullptr;
    std::string (*clock_drawing)(const circuit::ClockDrawing&, const std::string& title) = nullptr;
    std::string (*level_drawing)(const circuit::LevelDrawing&, const std::string& title) = nullptr;

    bool painted() const { return kind != FormatKind::Text; }
    bool of_circuits() const { return painted() || circuit || circuit_drawing; }
    bool of_clocks() const { return painted() || clocks || clock_drawing; }
    bool of_levels() const { return painted() || level_drawing; }
};

// TikZ of any drawing of core/diagram and core/napkin.
template <class Drawing>
std::string tikz_text(const Drawing& drawing, const std::string& title) {
    return circuit::tikz_document(circuit::tikz(drawing, title));
}

// Pictures, then the texts of a state of blocks (core/print/print.h), then the other texts.
inline const std::vector<FileFormat>& file_formats() {
    static const std::vector<FileFormat> all = [] {
        std::vector<FileFormat> rows = {
            {.name = "svg", .title = "SVG", .kind = FormatKind::Vector},
            {.name = "pdf", .title = "PDF", .binary = true, .kind = FormatKind::Pages},
            {.name = "png", .title = "PNG", .binary = true, .kind = FormatKind::Pixels},
        };
        for (const StateFormat& text : state_text_formats())
            rows.push_back(
                {.name = text.name, .title = text.title, .state = text.write, .comment = text.comment});
        rows.push_back({.name = "tex",
                        .title = "TikZ (LaTeX)",
                        .help = "TikZ, not of blocks",
                        .circuit_drawing = tikz_text<circuit::Drawing>,
                        .clock_drawing = tikz_text<circuit::ClockDrawing>,
                        .level_drawing = tikz_text<circuit::LevelDrawing>});
        rows.push_back(
            {.name = "json",
             .title = "JSON",
             .state = write_json,
             .circuit =
                 [](const circuit::Circuit& circuit) { return json::print(circuit::to_json(circuit)); },
             .clocks = [](const circuit::Schedule& schedule,
                          const std::string&) { return json::print(circuit::to_json(schedule)); }});
        rows.push_back({.name = "perfetto",
                        .title = "Perfetto trace",
                        .help = "of clocks, for ui.perfetto.dev",
                        .ending = "json",
                        .clocks = [](const circuit::Schedule& schedule, const std::string& title) {
                            return json::print(circuit::to_trace_events(schedule, title));
                        }});
        rows.push_back({.name = "html", .title = "HTML page"});
        rows.push_back({.name = "csv", .title = "CSV"});
        return rows;
    }();
    return all;
}

// Null if there is no such format.
inline const FileFormat* find_format(const std::string& name) {
    for (const FileFormat& format : file_formats())
        if (format.name == name) return &format;
    return nullptr;
}

inline bool is_binary(const std::string& name) {
    const FileFormat* format = find_format(name);
    return format && format->binary;
}

// The names of the formats for which `fits` is true, in the order of the table.
template <class Fits>
std::vector<std::string> formats_that(Fits fits) {
    std::vector<std::string> names;
    for (const FileFormat& format : file_formats())
        if (fits(format)) names.emplace_back(format.name);
    return names;
}

// "svg", "pdf", "png": the formats that any picture can be painted in, and `more` after them.
inline std::vector<std::string> picture_formats(const std::vector<std::string>& more = {}) {
    std::vector<std::string> names = formats_that([](const FileFormat& format) { return format.painted(); });
    names.insert(names.end(), more.begin(), more.end());
    return names;
}

// The formats of a circuit, of the clocks of a kernel, and of its levels: those of pictures and some texts.
inline std::vector<std::string> circuit_formats() {
    return formats_that([](const FileFormat& format) { return format.of_circuits(); });
}
inline std::vector<std::string> clock_formats() {
    return formats_that([](const FileFormat& format) { return format.of_clocks(); });
}
inline std::vector<std::string> level_formats() {
    return formats_that([](const FileFormat& format) { return format.of_levels(); });
}

// "dot", "json": the texts of a state of blocks. With `blocks_alone` without "json", which is also a format
// of circuits.
inline std::vector<std::string> state_formats(bool blocks_alone = false) {
    return formats_that(
        [&](const FileFormat& format) { return format.state && !(blocks_alone && format.of_circuits()); });
}

// Whether names of files in this format end with `ending`.
inline bool ends_with(const FileFormat& format, const std::string& ending) {
    return ending == format.name || (format.ending && ending == format.ending);
}

// Those of `formats` that the ending of a file name tells apart.
inline std::vector<std::string> told_by_ending(std::vector<std::string> formats) {
    std::erase_if(formats, [](const std::string& name) { return find_format(name)->ending != nullptr; });
    return formats;
}

// "*.svg *.pdf", as file dialogs filter names.
inline std::string name_filter(const std::vector<std::string>& formats) {
    std::string filter;
    for (const std::string& format : formats) filter += (filter.empty() ? "*." : " *.") + format;
    return filter;
}

// "svg, pdf or png"
inline std::string either_of(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 < words.size() ? ", " : " or ";
        text += words[i];
    }
    return text;
}

// ".svg, .pdf or .png"
inline std::string endings_text(std::vector<std::string> formats) {
    for (std::string& format : formats) format.insert(0, ".");
    return either_of(formats);
}

// What a whole run is written as, one row each: `blockscope-cli export --as` and the export dialog offer
// every row. app/export/runs.cpp writes them. No Qt: blockscope-cli names them, too.

struct ExportKind {
    const char* name;                      // "slides": of --as
    const char* help;                      // what it is, for --help
    std::array<const char*, 3> formats{};  // of app/files/file_formats.h, the usual one first
    bool stages = true;                    // of every step, of chapters or of snapshots
    bool themed = true;                    // light or dark; a page follows its reader
    bool notes = false;                    // can have pages with the speaker's notes
    bool pair = false;                     // of two states
};

inline constexpr std::array kExportKinds = {
    ExportKind{.name = "strip", .help = "the steps' pictures", .formats = {"pdf", "svg"}},
    ExportKind{.name = "html", .help = "a page of steps", .formats = {"html"}, .themed = false},
    ExportKind{.name = "slides", .help = "16:9, a step each", .formats = {"pdf"}, .notes = true},
    ExportKind{.name = "deck", .help = "slides as HTML, with notes", .formats = {"html"}, .themed = false},
    ExportKind{.name = "comparison",
               .help = "two states",
               .formats = {"pdf", "svg", "png"},
               .stages = false,
               .pair = true},
    ExportKind{.name = "document",
               .help = "what the window saves",
               .formats = {"json"},
               .stages = false,
               .themed = false},
};

// Null if there is none of this name.
inline const ExportKind* find_export_kind(const std::string& name) {
    for (const ExportKind& kind : kExportKinds)
        if (kind.name == name) return &kind;
    return nullptr;
}

inline std::vector<std::string> formats_of(const ExportKind& kind) {
    std::vector<std::string> names;
    for (const char* format : kind.formats)
        if (format) names.emplace_back(format);
    return names;
}

}  // namespace blockscope
