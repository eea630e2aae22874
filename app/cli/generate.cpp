// blockscope-cli generate: the man page, the completions of three shells and the lists of options in
// docs/cli.md, made from the table of commands. Hidden from --help: the build calls it, and the test of
// docs/cli.md.
#include <algorithm>
#include <cctype>
#include <functional>
#include <iostream>
#include <map>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

using Commands = std::vector<Command>;  // without hidden ones

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

std::string joined_words(const std::vector<std::string>& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

// "Show every state." of "show every state".
std::string sentence(std::string text) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text.back() == '.' ? text : text + ".";
}

// What shells show beside an option: its help up to the first semicolon.
std::string brief(const Option& option) {
    return option.help.substr(0, option.help.find(';'));
}

std::vector<std::string> values_of(const Option& option) {
    if (!option.choices.empty()) return option.choices;
    return option.offered ? option.offered() : std::vector<std::string>{};
}

// "N", "listing|text|dot|json"; empty of flags.
std::string argument_of(const Option& option) {
    return option.choices.empty() || option.flag() ? option.argument : joined_words(option.choices, "|");
}

// "apply FILE CHOICE...", "devices [NAME]", "convert FILE --to FORM".
std::string usage(const Command& command) {
    std::string text = command.name;
    for (const Option& option : command.options) {
        const std::string word = option.name() + (option.repeated() ? "..." : "");
        if (option.positional()) text += option.required ? " " + word : " [" + word + "]";
        if (!option.positional() && option.required) text += " " + word + " " + option.argument;
    }
    return text;
}

// ---- docs/cli.md

std::vector<Option> listed_options(const Command& command) {
    std::vector<Option> listed;
    for (const Option& option : command.options)
        if (!option.positional() && option.names != "--json") listed.push_back(option);
    return listed;
}

// "- `-o`, `--output OUT`: write to this file instead of stdout"
std::string option_row(const Option& option) {
    std::string names;
    for (const std::string& spelling : option.spellings())
        names += (names.empty() ? "`" : ", `") + spelling + "`";
    if (!option.flag()) names.replace(names.size() - 1, 1, " " + argument_of(option) + "`");
    return "- " + names + ": " + option.help + "\n";
}

// The rows that at least two commands have, one for each option: where commands describe it differently, the
// description that most of them have.
std::vector<std::string> shared_rows(const Commands& commands) {
    std::map<std::string, int> times;
    std::vector<std::string> names;
    std::map<std::string, std::string> row_of;
    for (const Command& command : commands)
        for (const Option& option : listed_options(command)) ++times[option_row(option)];
    for (const Command& command : commands) {
        for (const Option& option : listed_options(command)) {
            const std::string row = option_row(option);
            if (times[row] < 2) continue;
            std::string& kept = row_of[option.name()];
            if (kept.empty()) names.push_back(option.name());
            if (kept.empty() || times[row] > times[kept]) kept = row;
        }
    }
    std::vector<std::string> rows;
    rows.reserve(names.size());
    for (const std::string& name : names) rows.push_back(row_of[name]);
    return rows;
}

// A command's own options; those that it shares with others are only named.
std::string options_list(const Command& command, const Commands& commands) {
    const std::vector<std::string> shared = shared_rows(commands);
    std::string rows;
    std::string names;
    for (const Option& option : listed_options(command)) {
        const std::string row = option_row(option);
        if (std::find(shared.begin(), shared.end(), row) == shared.end())
            rows += row;
        else
            names += (names.empty() ? "`" : ", `") + option.name() + "`";
    }
    if (!names.empty()) rows += "- [shared](#shared-options): " + names + "\n";
    return rows;
}

// ---- Manual page

std::string roff(const std::string& text) {
    std::string escaped = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
    return escaped[0] == '.' || escaped[0] == '\'' ? "\\&" + escaped : escaped;
}

std::string man_option(const Option& option) {
    std::string names;
    for (const std::string& spelling : option.spellings())
        names += (names.empty() ? "\\fB" : ", \\fB") + roff(spelling) + "\\fR";
    if (!option.flag() && !option.positional()) names += " \\fI" + roff(argument_of(option)) + "\\fR";
    return ".TP\n" + names + "\n" + roff(sentence(option.help)) + "\n";
}

std::string man_command(const Command& command) {
    std::string text = ".SS " + roff(usage(command)) + "\n" + roff(sentence(command.summary)) + "\n";
    for (const Option& option : command.options) text += man_option(option);
    return text + ".PP\n.nf\n" + replaced(roff(command.notes), "\n", "\n\\&") + "\n.fi\n";
}

constexpr const char* kManHead = R"(.TH BLOCKSCOPE-CLI 1 "" "Blockscope" "User Commands"
.SH NAME
blockscope-cli \- see how array programs fuse, step by step
.SH SYNOPSIS
.B blockscope-cli
.I COMMAND
.RI [ OPTION ...]
.SH DESCRIPTION
Reads a program of operators on large arrays, takes it apart into blocks and runs the Blockbuster fusion
algorithm on it, or applies its rules by hand. Every rewrite can be proven in exact arithmetic.
.PP
.I FILE
holds a program in the text language, or an array program or block program in JSON; its contents tell which.
.B \-
is stdin. A file whose name begins with \- is written ./\-NAME, or stands behind \-\-.
.PP
.B \-h
and
.B \-\-help
say what is possible, with examples;
.B \-\-version
prints the version. With
.B \-\-json
a command prints one versioned JSON object and nothing else on stdout.
.SH COMMANDS
)";

constexpr const char* kManTail = R"(.SH EXIT STATUS
.TP
.B 0
Fine.
.TP
.B 1
Internal error.
.TP
.B 2
Usage, or an output that cannot be written.
.TP
.B 3
Bad input.
.TP
.B 4
A result differs.
.TP
.B 5
There is no such device, or nothing that could measure on it.
.TP
.B 6
A time limit was exceeded.
.TP
.B 7
Some of what was asked could not be done.
.TP
.B 130
Interrupted.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If set and not empty, no colours are used.
.TP
.B CLICOLOR_FORCE
If 1, colours are used even if stdout is no terminal.
.TP
.B XDG_DATA_HOME, XDG_CACHE_HOME
Where results and the description of this machine are kept.
)";

std::string man_page(const Commands& commands) {
    std::string text = kManHead;
    for (const Command& command : commands) text += man_command(command);
    return text + kManTail;
}

// ---- Completion for bash

std::string bash_command(const Command& command) {
    std::string cases;
    std::string words;
    bool files = false;
    for (const Option& option : command.options) {
        const std::string values = joined_words(values_of(option), " ");
        if (option.positional()) {
            words += values.empty() ? "" : values + " ";
            files = files || option.completion == Completion::Files;
            continue;
        }
        words += joined_words(option.spellings(), " ") + " ";
        if (option.flag()) continue;
        const char* kind = option.completion == Completion::Files   ? "files=1"
                           : option.completion == Completion::Hosts ? "hosts=1"
                                                                    : "files=";
        cases += "                " + joined_words(option.spellings(), " | ") + ") words=\"" + values +
                 "\" " + kind + " ;;\n";
    }
    return "        " + command.name + ")\n            case $before in\n" + cases +
           "                *) words=\"" + words + "--help\" files=" + (files ? "1" : "") +
           " ;;\n            esac\n            ;;\n";
}

std::string bash_completion(const Commands& commands) {
    std::string names;
    std::string cases;
    for (const Command& command : commands) {
        names += command.name + " ";
        cases += bash_command(command);
    }
    return R"(# Completion for bash, written by `blockscope-cli generate bash`.
_blockscope_cli() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" words="" files="" hosts="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac
    done
    case $command in
        "") words=")" +
           names + "--help --version\" ;;\n" + cases + R"(    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    [ -z "$files" ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
    [ -z "$hosts" ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -A hostname -- "$word")
}
complete -o filenames -F _blockscope_cli blockscope-cli
)";
}

// ---- Completion for zsh

std::string quoted_for_shell(const std::string& text) {
    return "'" + replaced(text, "'", "'\\''") + "'";
}

// Text between the brackets and colons of _arguments.
std::string zsh_text(const std::string& text) {
    std::string escaped = text;
    for (const char* special : {"[", "]", ":"})
        escaped = replaced(escaped, special, std::string("\\") + special);
    return escaped;
}

// ":N:" and what completes it.
std::string zsh_argument(const Option& option) {
    const std::vector<std::string> values = values_of(option);
    const std::string name = option.positional() ? option.name() : option.argument;
    std::string action;
    if (!values.empty()) action = "(" + joined_words(values, " ") + ")";
    if (option.completion == Completion::Files) action = "_files";
    if (option.completion == Completion::Files && !values.empty())
        action = "{compadd -- " + joined_words(values, " ") + "; _files}";
    if (option.completion == Completion::Hosts) action = "_hosts";
    return ":" + zsh_text(name) + ":" + action;
}

// `place` counts positional arguments.
std::string zsh_option(const Command& command, const Option& option, int& place) {
    if (option.positional())
        return quoted_for_shell((option.repeated() ? "*" : std::to_string(++place)) +
                                (option.required ? "" : ":") + zsh_argument(option));
    std::vector<std::string> excluded = excluded_by(command, option);
    const std::vector<std::string> spellings = option.spellings();
    if (spellings.size() > 1 && !option.repeated())
        excluded.insert(excluded.end(), spellings.begin(), spellings.end());
    const std::string before = excluded.empty() ? "" : "(" + joined_words(excluded, " ") + ")";
    const std::string behind =
        "[" + zsh_text(brief(option)) + "]" + (option.flag() ? "" : zsh_argument(option));
    std::string text;
    for (const std::string& spelling : spellings)
        text += (text.empty() ? "" : " ") +
                quoted_for_shell((option.repeated() ? "*" : before) + spelling + behind);
    return text;
}

std::string zsh_completion(const Commands& commands) {
    std::string names;
    std::string cases;
    for (const Command& command : commands) {
        names += "        " + quoted_for_shell(command.name + ":" + zsh_text(command.summary)) + "\n";
        cases += "        " + command.name + ")\n            _arguments $help";
        int place = 0;
        for (const Option& option : command.options)
            cases += " \\\n                " + zsh_option(command, option, place);
        cases += "\n            ;;\n";
    }
    return R"(#compdef blockscope-cli
# Completion for zsh, written by `blockscope-cli generate zsh`.
_blockscope_cli() {
    local -a help commands
    help=('(-h --help)'{-h,--help}'[say what is possible]')
    commands=(
)" + names +
           R"(    )
    if ((CURRENT == 2)); then
        _describe command commands
        _arguments '--version[print the version]' $help
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
)" + cases +
           R"(    esac
}
_blockscope_cli "$@"
)";
}

// ---- Completion for fish

std::string quoted_for_fish(const std::string& text) {
    return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// " -x", " -r", and what else fits. "-x": no files.
std::string fish_values(const Option& option) {
    std::string text = option.completion == Completion::Files ? " -r" : " -x";
    if (option.completion == Completion::Hosts) return text + " -a '(__fish_print_hostnames)'";
    const std::vector<std::string> values = values_of(option);
    return values.empty() ? text : text + " -a " + quoted_for_fish(joined_words(values, " "));
}

std::string fish_option(const std::string& start, const Option& option) {
    const std::string description = " -d " + quoted_for_fish(brief(option)) + "\n";
    if (option.positional()) {
        const std::vector<std::string> values = values_of(option);
        if (values.empty()) return {};
        return start + " -a " + quoted_for_fish(joined_words(values, " ")) + description;
    }
    std::string text;
    if (option.flag()) {
        for (const std::string& spelling : option.spellings())
            text += start + " -l " + spelling.substr(2) + description;
        return text;
    }
    for (const std::string& spelling : option.spellings())
        text += spelling.starts_with("--") ? " -l " + spelling.substr(2) : " -s " + spelling.substr(1);
    return start + text + fish_values(option) + description;
}

std::string fish_completion(const Commands& commands) {
    const std::string program = "complete -c blockscope-cli";
    std::string names;
    for (const Command& command : commands) names += " " + command.name;
    std::string text = "# Completion for fish, written by `blockscope-cli generate fish`.\nset -l commands" +
                       names + "\nset -l none \"not __fish_seen_subcommand_from $commands\"\n";
    for (const Command& command : commands)
        text +=
            program + " -n $none -f -a " + command.name + " -d " + quoted_for_fish(command.summary) + "\n";
    text += program + " -n $none -l version -d 'print the version'\n" + program +
            " -s h -l help -d 'say what is possible'\n";
    for (const Command& command : commands) {
        const std::string start = program + " -n '__fish_seen_subcommand_from " + command.name + "'";
        const bool files =
            std::any_of(command.options.begin(), command.options.end(), [](const Option& option) {
                return option.positional() && option.completion == Completion::Files;
            });
        if (!files) text += start + " -f\n";
        for (const Option& option : command.options) text += fish_option(start, option);
    }
    return text;
}

// ---- The command

struct GenerateArguments {
    std::string what;
    std::string command;  // of options
    std::string output;
};

std::string generated(const GenerateArguments& arguments, const Commands& commands) {
    if (arguments.what == "man") return man_page(commands);
    if (arguments.what == "bash") return bash_completion(commands);
    if (arguments.what == "zsh") return zsh_completion(commands);
    if (arguments.what == "fish") return fish_completion(commands);
    if (arguments.command == "shared") return joined_words(shared_rows(commands), "");
    for (const Command& command : commands)
        if (command.name == arguments.command) return options_list(command, commands);
    throw UsageError("there is no command '" + arguments.command + "'");
}

int generate_command(const GenerateArguments& arguments) {
    Commands commands = all_commands();
    std::erase_if(commands, [](const Command& command) { return command.hidden; });
    const std::string text = generated(arguments, commands);
    if (arguments.output.empty())
        std::cout << text;
    else
        write_file(arguments.output, text);
    return kFine;
}

}  // namespace

Command generate_row() {
    const auto arguments = std::make_shared<GenerateArguments>();
    return {.name = "generate",
            .summary = "write what is made from the table of commands",
            .options = {{.names = "WHAT",
                         .help = "the man page, a completion, or the options of COMMAND for docs/cli.md",
                         .to = &arguments->what,
                         .required = true,
                         .choices = {"man", "bash", "zsh", "fish", "options"}},
                        {.names = "COMMAND",
                         .help = "with options: of this command, or shared: of several",
                         .to = &arguments->command},
                        output_option(arguments->output)},
            .notes = "Example:\n  blockscope-cli generate options fuse",
            .run = [arguments](const Invocation&) { return generate_command(*arguments); },
            .hidden = true};
}

}  // namespace blockscope::cli
