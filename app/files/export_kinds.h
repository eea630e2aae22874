// What a whole run is written as, one row each: `blockscope-cli export --as` and the export dialog offer
// every row. app/export/runs.cpp writes them. No Qt: blockscope-cli names them, too.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace blockscope {

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
    ExportKind{.name = "strip", .help = "pictures with the rules' names", .formats = {"pdf", "svg"}},
    ExportKind{.name = "html",
               .help = "one page that steps with the arrow keys",
               .formats = {"html"},
               .themed = false},
    ExportKind{.name = "slides", .help = "16:9, a step each", .formats = {"pdf"}, .notes = true},
    ExportKind{.name = "deck",
               .help = "the slides as one HTML file, with questions and notes",
               .formats = {"html"},
               .themed = false},
    ExportKind{.name = "comparison",
               .help = "two states beside each other",
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
