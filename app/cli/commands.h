// The commands, one file each. Every command prints to stdout and returns an exit code; it throws
// UsageError or BadInput if it cannot do its work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/analyze_arguments.h"

namespace blockscope::cli {

enum class Format { Listing, Text, Dot, Json };

// What to show of a run, and how.
struct View {
    std::optional<int> step;      // 0 is the initial block program
    std::optional<int> snapshot;  // from 1
    bool all = false;             // every state
    std::optional<Format> format;
    bool safe = false;          // the numerically safe form of what is shown
    bool per_block = false;     // with one exponent per block (implies safe)
    std::optional<bool> prove;  // by default where it takes under a second
    std::uint64_t seed = 1;
    bool json = false;  // the envelope of docs/cli.md instead of text
};

struct FuseArguments {
    std::string file;
    View view;
};
int fuse_command(const FuseArguments& arguments);

struct MatchesArguments {
    std::string file;
    int at = 0;                   // after how many steps of the algorithm
    std::string rule, dim, path;  // empty: any
    bool json = false;
};
int matches_command(const MatchesArguments& arguments);

struct ApplyArguments {
    std::string file;
    int at = 0;
    std::vector<std::string> choices;  // RULE@PATH
    bool then_fuse = false;
    View view;
};
int apply_command(const ApplyArguments& arguments);

struct WhyArguments {
    std::string file;
    int at = 0;
    std::string rule;
    std::vector<std::string> paths;
    bool json = false;
};
int why_command(const WhyArguments& arguments);

struct CostArguments {
    std::string file;
    std::optional<int> step;         // otherwise step 0 and all snapshots
    std::string snapshot;            // "all" or a number from 1
    std::string device;              // a name or a file; empty: counts only
    std::string model;               // a time model's name or "all"
    int processors = 0;              // of the device that work; 0: all
    bool safe = false;               // of the numerically safe forms
    bool execute = false;            // counts of an execution have to be the same
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::string derive;              // a quantity to derive, or "all"; empty: the tables
    bool csv = false;
    bool json = false;
};
int cost_command(const CostArguments& arguments);
// cost --derive: where one number of one state comes from.
int derive_command(const CostArguments& arguments);

struct OptimumArguments {
    std::string file;
    std::optional<int> step;         // otherwise the last
    std::optional<int> snapshot;     // from 1
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::vector<std::string> same;   // KEPT=OTHER: written as one dimension
    std::int64_t memory = 0;         // bytes; 0: formulas only, or that of the device
    std::string device;              // name or file; empty: none
    std::int64_t multiple = 1;       // of what block sizes are tried
    bool json = false;
};
int optimum_command(const OptimumArguments& arguments);

struct DevicesArguments {
    std::string name;  // empty: the table
    bool csv = false;
    bool json = false;
};
int devices_command(const DevicesArguments& arguments);

struct CheckArguments {
    std::string file;
    bool json = false;
};
int check_command(const CheckArguments& arguments);

struct RulesArguments {
    std::string rule;  // empty: the table
    bool json = false;
};
int rules_command(const RulesArguments& arguments);

struct ConvertArguments {
    std::string file;
    std::string to;      // text, json, block-json
    std::string output;  // empty or "-": stdout
    bool json = false;
};
int convert_command(const ConvertArguments& arguments);

struct ReplayArguments {
    std::string file;
    View view;
};
int replay_command(const ReplayArguments& arguments);

struct CodegenArguments {
    std::string file;
    std::optional<int> step;
    std::optional<int> snapshot;
    bool unsafe = false;         // the state itself instead of its numerically safe form
    std::string target = "f32";  // f32, sm_80, ...
    bool tf32 = false;
    std::string type;       // of all arrays: "e4m3", "tf32"; empty: what the program declares
    int block_threads = 0;  // 0: what suits the program
    int stages = 0;
    int parts = 0;                   // of reductions: 0 as the model says, 1 none
    std::string combine;             // parts: "workspace", "atomics"; empty: as the model says
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::string output;              // empty or "-": stdout
    bool json = false;
};
int codegen_command(const CodegenArguments& arguments);

// ---- Pictures, in a program of their own that links Qt and Graphviz (blockscope-render).

struct RenderArguments {
    std::string file;
    std::optional<int> step;
    std::optional<int> snapshot;
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
    std::string as;      // strip, html, document
    std::string format;  // of strips: svg or pdf; empty: what the output's name says, else pdf
    bool snapshots = false;
    bool dark = false;
    std::string output;
    bool json = false;
};

// What this executable does about pictures.
struct PictureCommands {
    int (*render)(const RenderArguments&);
    int (*export_run)(const ExportArguments&);
};

}  // namespace blockscope::cli
