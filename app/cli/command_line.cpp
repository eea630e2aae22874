// The only file that includes CLI11: it takes nine seconds to read.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "app/cli/command.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

// ---- From a row to CLI11.

// CLI11 prints the options that exclude each other in the order of their addresses in memory, which differs
// from run to run; here they stand in the order of the command's row.
class Help : public CLI::Formatter {
public:
    explicit Help(const Command& command) : command_(command) {}

    std::string make_option_opts(const CLI::Option* option) const override {
        std::string text = Formatter::make_option_opts(option);
        const std::size_t at = text.find(" Excludes:");
        if (at == std::string::npos) return text;
        std::string names;
        for (const Option& row : command_.options)
            if (row.name() == option->get_name())
                for (const std::string& name : excluded_by(command_, row)) names += " " + name;
        return text.substr(0, at) + " Excludes:" + names;
    }

private:
    const Command& command_;
};

// Declares an option that writes to `to`.
struct Declare {
    CLI::App& app;
    const Option& row;

    CLI::Option* operator()(bool* to) const { return app.add_flag(row.names, *to, row.help); }
    CLI::Option* operator()(std::optional<bool>* to) const {
        return app.add_flag_function(
            row.names, [to](std::int64_t count) { *to = count > 0; }, row.help);
    }
    CLI::Option* operator()(const std::function<void(const std::string&)>& to) const {
        return app.add_option_function<std::string>(row.names, to, row.help);
    }
    template <class T>
    CLI::Option* operator()(T* to) const {
        return app.add_option(row.names, *to, row.help);
    }
};

void declare(CLI::App& app, const Option& row) {
    CLI::Option* option = std::visit(Declare{app, row}, row.to);
    if (!row.argument.empty()) option->type_name(row.argument);
    if (row.required) option->required();
    if (!row.choices.empty()) option->check(CLI::IsMember(row.choices));
    if (!row.synonyms.empty()) option->transform(CLI::Transformer(row.synonyms));
    if (!row.check) return;
    const auto complaint = row.check->complaint;
    option->check(
        CLI::Validator([complaint](std::string& text) { return complaint(text); }, row.check->name));
}

void declare(CLI::App& app, const Command& row, const Command*& chosen) {
    CLI::App& command = *app.add_subcommand(row.name, row.summary);
    command.formatter(std::make_shared<Help>(row));
    command.footer(row.notes);
    if (row.hidden) command.group("");
    for (const Option& option : row.options) declare(command, option);
    for (const Option& option : row.options)
        for (const std::string& other : option.excludes)
            command.get_option(option.name())->excludes(command.get_option(other));
    command.callback([&chosen, &row] { chosen = &row; });
}

// ---- What was wrong with a command line.

const Command* find_command(const std::vector<Command>& commands, const std::string& name) {
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& command) { return command.name == name; });
    return found == commands.end() ? nullptr : &*found;
}

bool has_spelling(const Command& command, const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    return std::any_of(command.options.begin(), command.options.end(), [&](const Option& option) {
        const std::vector<std::string> all = option.spellings();
        return std::find(all.begin(), all.end(), name) != all.end();
    });
}

// A word that stands for a file, perhaps, but begins as options do; empty if there is none.
std::string taken_for_option(const Command& command, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word == "--") break;
        const bool number = word.size() > 1 && word[1] >= '0' && word[1] <= '9';
        if (word.size() > 1 && word[0] == '-' && !number && !has_spelling(command, word)) return word;
    }
    return {};
}

std::string sentence_of(const CLI::ParseError& error, const std::vector<Command>& commands,
                        const std::vector<std::string>& words) {
    const Command* command = find_command(commands, words.front());
    if (!command && words.front()[0] != '-') return "there is no command '" + words.front() + "'";
    if (command && dynamic_cast<const CLI::RequiredError*>(&error)) {
        const std::string word = taken_for_option(*command, {words.begin() + 1, words.end()});
        if (!word.empty())
            return std::string(error.what()) + ", and '" + word +
                   "' looks like an option; a file of this name is written ./" + word +
                   ", or stands behind --";
    }
    return error.what();
}

bool wants_json(const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), "--json") != words.end();
}

}  // namespace

int run(int argc, char** argv, const PictureCommands* pictures) {
    keep_standard_streams();
    handle_interrupts();
    const std::vector<Command> commands = all_commands();
    const Command* chosen = nullptr;
    CLI::App app("See how array programs fuse: the Blockbuster rules and algorithm, step by step.",
                 "blockscope-cli");
    app.set_version_flag("--version", "blockscope-cli " BLOCKSCOPE_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 fine, 1 internal error, 2 usage, 3 bad input, 4 a result differs, "
        "5 no device, 6 timeout, 7 partial result, 130 interrupted.\n"
        "Start here: blockscope-cli fuse samples/attention.bp");
    for (const Command& command : commands) declare(app, command, chosen);
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool json = wants_json(words);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help and --version
        return guarded([&] { return app.exit(success); }, json);
    } catch (const CLI::ParseError& error) {
        if (words.empty()) {
            std::cerr << app.help();
            return kUsage;
        }
        const std::string sentence = sentence_of(error, commands, words);
        return fail(kUsage, sentence + " (--help says what is possible)", json);
    }
    return guarded([&] { return chosen->run({argv, pictures}); }, json);
}

}  // namespace blockscope::cli
