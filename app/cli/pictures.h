// render and export. Pictures need Qt and Graphviz, which take longer to load than most commands run: a
// program of its own has them, blockscope-render, and blockscope-cli runs it in its place.
#pragma once

#include <optional>
#include <string>

#include "app/cli/analyze.h"
#include "app/cli/best.h"

class QGuiApplication;

namespace blockscope::cli {

struct RenderArguments {
    std::string file;
    StateArguments state;           // of programs; of documents and traces by default the one that they show
    std::string view = "block";     // block, circuit, pseudocode or clocks
    std::string circuit = "state";  // of circuits: state, program, model, algorithm, levels
    std::string numbers;            // of circuits: formulas, counts or none; empty: formulas where they fit
    std::optional<double> width;    // of circuits: where lines wrap, in pixels at 100%
    std::string repeat;             // of the program's circuit: in brackets with this count; empty: none
    KernelArguments kernel;         // of pseudocode and clocks
    std::string format;  // svg, pdf, png, tex, dot, json; empty: what the output's name says, else svg
    double scale = 2;    // pixels per unit of PNG
    bool dark = false;
    bool transparent = false;
    std::optional<int> fold;  // maps at this depth are clouds; none: as the document has them
    std::string fold_maps;    // these are clouds, too: "n3,n5"; empty: none
    std::string nodes;        // the picture shows what is around them; empty: everything
    bool types = false;       // on edges
    bool legend = false;
    std::string caption;
    std::string output;  // empty or "-": stdout
    bool json = false;
};

struct ExportArguments {
    std::string file;
    std::string as;      // a row of app/files/file_formats.h
    std::string format;  // one of the kind's; empty: what the output's name says, else the first
    bool snapshots = false;
    bool chapters = false;
    bool notes = false;  // of slides
    std::string before;  // of comparisons: words of parse_state_choice(); empty: the unfused program
    std::string after;   // the same; empty: the best state
    std::string device;  // that times of comparisons are predicted on; empty: the usual one
    bool dark = false;
    std::string output;
    bool json = false;
};

// What blockscope-render does.
struct PictureCommands {
    int (*render)(const RenderArguments&);
    int (*export_run)(const ExportArguments&);
    std::string (*pdf_of_page)(const std::string& html);  // of A4, a page of text
};

// Runs blockscope-render in place of this process, with the same arguments: the one beside this program, or
// in ../libexec/blockscope. Throws UsageError if there is none.
[[noreturn]] void become_picture_program(char** arguments);

}  // namespace blockscope::cli
