// A command as a value: its name, its options and the function that it runs. The parser and `--help`
// (command_line.cpp), the man page, the completions of three shells and the lists of options in docs/cli.md
// (generate.cpp) are all made from these rows. A row is a function beside its command:
//
//     Command check_row() {
//         const auto arguments = std::make_shared<CheckArguments>();
//         return {.name = "check",
//                 .summary = "read a file and report all its problems",
//                 .options = {file_option(arguments->file), json_option(arguments->json)},
//                 .notes = "Example:\n  blockscope-cli check my-program.bp",
//                 .run = [arguments](const Invocation&) { return check_command(*arguments); }};
//     }
//
// app/cli/CMakeLists.txt lists the rows in the order of `--help`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/rules/rule.h"
#include "core/state/state.h"

namespace blockscope::cli {

// What a value has to be besides being of the type that it is read as.
struct Check {
    std::string name;  // behind the argument in --help: "POSITIVE"
    // What is wrong with a text; empty if nothing is.
    std::function<std::string(const std::string& text)> complaint;
};
Check above_zero();
Check not_below_zero();
Check between(double least, double most);
Check whole_between(int least, int most);
Check percent_up_to(int most);
Check seed_number();
Check not_empty();  // without a name

// Where an option's value goes. The kind of the pointer says what is read: of a bool, that the option is
// there; of an optional bool, which of "--this,!--no-this" is. Pointers are to arguments that the command's
// `run` owns.
using Target = std::variant<bool*, std::optional<bool>*, int*, std::optional<int>*, std::int64_t*,
                            std::uint64_t*, double*, std::optional<double>*, std::string*,
                            std::vector<std::string>*, std::function<void(const std::string&)>>;

// What shells complete an argument with, besides its choices.
enum class Completion { Nothing, Files, Hosts };

struct Option {
    std::string names;  // "--step"; "-o,--output"; of an argument without an option "FILE"
    std::string argument =
        {};  // what its value is called: "N"; empty of flags and of arguments without an option
    std::string help = {};
    Target to = {};
    bool required = false;
    std::vector<std::string> choices = {};                           // the only values, if there are any
    std::vector<std::pair<std::string, std::string>> synonyms = {};  // of choices: {"tikz", "tex"}
    std::optional<Check> check = {};
    std::vector<std::string> excludes = {};  // options that cannot stand beside it; said on one side only
    // Values for completion, where others are possible, too. Asked for only when completions are made.
    std::function<std::vector<std::string>()> offered = {};
    Completion completion = Completion::Nothing;

    bool positional() const { return names[0] != '-'; }
    bool flag() const;      // takes no value
    bool repeated() const;  // takes several
    // "--output" of "-o,--output", "--prove" of "--prove,!--no-prove", "FILE".
    std::string name() const;
    // "-o", "--output"; "--prove", "--no-prove".
    std::vector<std::string> spellings() const;
};

struct PictureCommands;

// The command line as main() got it, and what makes pictures (pictures.h): null where another program does.
struct Invocation {
    char** words = nullptr;
    const PictureCommands* pictures = nullptr;
};

struct Command {
    std::string name;
    std::string summary;  // one line without a full stop
    std::vector<Option> options = {};
    std::string notes = {};  // below the options in --help: sentences, and examples under "Example(s):"
    std::function<int(const Invocation&)> run = {};  // returns the exit code
    bool hidden = false;                             // left out of lists of commands
};

// All rows, in the order of `--help`; new values, with arguments of their own.
std::vector<Command> all_commands();

// The names of the options that cannot stand beside this one, in the command's order, whichever side says so.
std::vector<std::string> excluded_by(const Command& command, const Option& option);

// ---- Options that several commands have.

Option file_option(std::string& file);  // FILE: a program
Option json_option(bool& json);
Option form_option(LoopForm& loops);  // --form: as loops are built, or as the paper has them
Option at_option(int& at);
// --rules and --allow-rounding: which rules the algorithm tries.
struct RuleChoice {
    std::string rules = "extended";
    bool allow_rounding = false;
    RuleSet set() const { return {.additions = rules != "paper", .rounding = allow_rounding}; }
};
std::vector<Option> rule_set_options(RuleChoice& choice);
Option set_option(std::vector<std::string>& sizes);
Option same_option(std::vector<std::string>& same);
Option output_option(std::string& output);
// --step and --snapshot of commands that show one state: the options exclude each other.
Option step_option(std::optional<int>& step, const std::string& help);
Option snapshot_option(std::string& snapshot, const std::string& help);
Option device_option(std::string& device, const std::string& help);

std::vector<std::string> rule_names();    // "1", ..., "6", "6a", ...
std::vector<std::string> target_names();  // of codegen: "f32", "sm_80", ...
std::vector<std::string> type_names();    // of elements, with "tf32": f32 whose products tensor cores compute
std::vector<std::string> builtin_device_names();  // of the descriptions that are built in
// "svg, pdf, png"
std::string joined_names(const std::vector<std::string>& names);
std::vector<Option> joined(std::vector<Option> options, const std::vector<Option>& more);

// ---- Parses the command line by the table of commands (command.h) and runs the one that is chosen.

struct PictureCommands;

// Returns the exit code. Without `pictures` the commands that make pictures are handed over to the program
// that has them (pictures.h).
int run(int argc, char** argv, const PictureCommands* pictures = nullptr);

}  // namespace blockscope::cli
