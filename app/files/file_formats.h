// The formats of files that Blockscope writes, one row each. No Qt: blockscope-cli names them, too.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace blockscope {

// What a picture is painted on for a format (app/files/painting.h); Text is made without painting, by the
// core or a page's own writer.
enum class FormatKind : unsigned char { Text, Vector, Pages, Pixels };

struct FileFormat {
    const char* name;   // "svg": what --format says and names of files end with
    const char* title;  // "SVG": in a list of formats
    bool binary;        // not to be written to a terminal or into JSON
    FormatKind kind;
};

inline constexpr std::array kFileFormats = {
    FileFormat{"svg", "SVG", false, FormatKind::Vector},
    FileFormat{"pdf", "PDF", true, FormatKind::Pages},
    FileFormat{"png", "PNG", true, FormatKind::Pixels},
    FileFormat{"tex", "TikZ (LaTeX)", false, FormatKind::Text},
    FileFormat{"dot", "DOT (Graphviz)", false, FormatKind::Text},
    FileFormat{"json", "JSON", false, FormatKind::Text},
    FileFormat{"html", "HTML page", false, FormatKind::Text},
    FileFormat{"csv", "CSV", false, FormatKind::Text},
};

// Null if there is no such format.
inline const FileFormat* find_format(const std::string& name) {
    for (const FileFormat& format : kFileFormats)
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
    for (const FileFormat& format : kFileFormats)
        if (format.kind != FormatKind::Text) names.emplace_back(format.name);
    names.insert(names.end(), more.begin(), more.end());
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

}  // namespace blockscope
