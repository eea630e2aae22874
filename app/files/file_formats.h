// The formats of files that Blockscope writes, one row each. Texts of a state come from core/print, where
// each is one source with its row: fuse, render and the export dialog offer it. No Qt: blockscope-cli names
// them, too.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/json/json_io.h"
#include "core/print/print.h"

namespace blockscope {

// What a picture is painted on for a format (app/files/painting.h); Text is made without painting, by the
// core or a page's own writer.
enum class FormatKind : unsigned char { Text, Vector, Pages, Pixels };

struct FileFormat {
    const char* name;     // "svg": what --format says and names of files end with
    const char* title;    // "SVG": in a list of formats
    bool binary = false;  // not to be written to a terminal or into JSON
    FormatKind kind = FormatKind::Text;
    // Of text that a state of blocks is written as: its writer, and how a line of comment begins.
    std::string (*state)(const BlockProgram&) = nullptr;
    const char* comment = "# ";
};

// Pictures, then the texts that a state of blocks is written as (core/print/print.h), then the others.
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
        rows.push_back({.name = "tex", .title = "TikZ (LaTeX)"});
        rows.push_back({.name = "json", .title = "JSON", .state = write_json});
        rows.push_back({.name = "perfetto", .title = "Perfetto trace"});
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

// "svg", "pdf", "png": the formats that any picture can be painted in, and `more` after them.
inline std::vector<std::string> picture_formats(const std::vector<std::string>& more = {}) {
    std::vector<std::string> names;
    for (const FileFormat& format : file_formats())
        if (format.kind != FormatKind::Text) names.emplace_back(format.name);
    names.insert(names.end(), more.begin(), more.end());
    return names;
}

// "dot", "json": the texts that a state of blocks is written as; without "json", which circuits and kernels
// are written as, too, those of blocks alone.
inline std::vector<std::string> state_formats(bool blocks_alone = false) {
    std::vector<std::string> names;
    for (const FileFormat& format : file_formats())
        if (format.state && !(blocks_alone && format.name == std::string("json")))
            names.emplace_back(format.name);
    return names;
}

// "*.svg *.pdf", as file dialogs filter names.
inline std::string name_filter(const std::vector<std::string>& formats) {
    std::string filter;
    for (const std::string& format : formats) filter += (filter.empty() ? "*." : " *.") + format;
    return filter;
}

// ".svg, .pdf or .png"
inline std::string endings_text(const std::vector<std::string>& formats) {
    std::string text;
    for (std::size_t i = 0; i < formats.size(); ++i)
        text += (i == 0 ? "." : i + 1 < formats.size() ? ", ." : " or .") + formats[i];
    return text;
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
