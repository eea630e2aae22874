#include "app/cli/command.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "core/json/device_files.h"
#include "core/json/parts.h"
#include "core/rules/rule.h"
#include "gpu/codegen/kernel_set.h"

namespace blockscope::cli {
namespace {

// The finite number that `text` is as a whole; none otherwise.
std::optional<double> finite_number(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(number)) return std::nullopt;
    return number;
}

// `what`: "a number above 0".
Check number_that(const std::function<bool(double)>& holds, const std::string& what,
                  const std::string& name) {
    return {name, [holds, what](const std::string& text) {
                const auto number = finite_number(text);
                return number && holds(*number) ? std::string() : "'" + text + "' is not " + what;
            }};
}

std::string short_number(double number) {
    std::string digits = std::to_string(number);
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits.back() == '.' ? digits.substr(0, digits.size() - 1) : digits;
}

}  // namespace

Check above_zero() {
    return number_that([](double number) { return number > 0; }, "a number above 0", "POSITIVE");
}

Check not_below_zero() {
    return number_that([](double number) { return number >= 0; }, "a number from 0 on", "NONNEGATIVE");
}

Check between(double least, double most) {
    return number_that([=](double number) { return number >= least && number <= most; },
                       "a number from " + short_number(least) + " to " + short_number(most), "RANGE");
}

Check whole_between(int least, int most) {
    return {"INT in [" + std::to_string(least) + " - " + std::to_string(most) + "]",
            [least, most](const std::string& text) {
                const auto number = finite_number(text);
                const bool whole = number && std::floor(*number) == *number;
                if (whole && *number >= least && *number <= most) return std::string();
                return "Value " + text + " not in range " + std::to_string(least) + " to " +
                       std::to_string(most);
            }};
}

Check percent_up_to(int most) {
    return number_that([most](double number) { return number >= 0 && number <= most; },
                       "a percentage from 0 to " + std::to_string(most), "PERCENTAGE");
}

// A number from 2^64 on, or below 0, would be read as another one.
Check seed_number() {
    return {"SEED", [](const std::string& text) {
                const bool digits = !text.empty() && text.size() <= 18 &&
                                    text.find_first_not_of("0123456789") == std::string::npos;
                return digits ? std::string() : "'" + text + "' is not a whole number from 0, below 10^18";
            }};
}

Check not_empty() {
    return {"", [](const std::string& text) {
                return text.empty() ? std::string("its value is empty") : std::string();
            }};
}

bool Option::flag() const {
    return std::holds_alternative<bool*>(to) || std::holds_alternative<std::optional<bool>*>(to);
}

bool Option::repeated() const {
    return std::holds_alternative<std::vector<std::string>*>(to);
}

std::vector<std::string> Option::spellings() const {
    std::vector<std::string> all;
    std::size_t start = 0;
    while (start <= names.size()) {
        const std::size_t comma = std::min(names.find(',', start), names.size());
        all.push_back(names.substr(names[start] == '!' ? start + 1 : start,
                                   comma - (names[start] == '!' ? start + 1 : start)));
        start = comma + 1;
    }
    return all;
}

std::string Option::name() const {
    const std::vector<std::string> all = spellings();
    const auto is_long = [](const std::string& spelling) { return spelling.starts_with("--"); };
    const auto found = std::find_if(all.begin(), all.end(), is_long);
    return found == all.end() ? all.front() : *found;
}

std::vector<std::string> excluded_by(const Command& command, const Option& option) {
    const auto names = [](const Option& from, const Option& other) {
        return std::find(from.excludes.begin(), from.excludes.end(), other.name()) != from.excludes.end();
    };
    std::vector<std::string> all;
    for (const Option& other : command.options)
        if (names(option, other) || names(other, option)) all.push_back(other.name());
    return all;
}

Option file_option(std::string& file) {
    return {
        .names = "FILE",
        .help = "a program (text, or JSON of an array or block program) or a model (.onnx, .pt2); - is stdin",
        .to = &file,
        .required = true,
        .completion = Completion::Files};
}

Option json_option(bool& json) {
    return {.names = "--json", .help = "print one JSON object (docs/cli.md) and nothing else", .to = &json};
}

Option form_option(LoopForm& loops) {
    return {.names = "--form",
            .argument = "F",
            .help =
                "built (nothing is loaded twice that stays, hidden blocks of causal masks are left out) or "
                "paper (line by line as the block program)",
            .to = [&loops](const std::string& name) { loops = loop_form_named(name).value_or(loops); },
            .choices = {to_string(LoopForm::Built), to_string(LoopForm::Paper)}};
}

Option at_option(int& at) {
    return {.names = "--at",
            .argument = "N",
            .help = "look at the state after this many steps of the algorithm (default 0)",
            .to = &at,
            .check = not_below_zero()};
}

std::vector<Option> rule_set_options(RuleChoice& choice) {
    return {{.names = "--rules",
             .argument = "SET",
             .help = "the rules that the algorithm tries: the paper's alone, or additional ones, too "
                     "(default extended)",
             .to = &choice.rules,
             .choices = {"paper", "extended"}},
            {.names = "--allow-rounding",
             .help = "also additional rules after which values are rounded elsewhere: not bit-identical",
             .to = &choice.allow_rounding,
             .excludes = {"--rules"}}};
}

Option set_option(std::vector<std::string>& sizes) {
    return {.names = "--set",
            .argument = "NAME=SIZE[/BLOCK]",
            .help = "another size, with another block size if you like: M=8192/64",
            .to = &sizes};
}

Option same_option(std::vector<std::string>& same) {
    return {.names = "--same",
            .argument = "NAME=NAME",
            .help = "write two dimensions of the same size as one: D=L for L as D",
            .to = &same};
}

Option output_option(std::string& output) {
    return {.names = "-o,--output",
            .argument = "OUT",
            .help = "write to this file instead of stdout",
            .to = &output,
            .completion = Completion::Files};
}

Option step_option(std::optional<int>& step, const std::string& help) {
    return {.names = "--step", .argument = "N", .help = help, .to = &step};
}

Option snapshot_option(std::string& snapshot, const std::string& help) {
    return {.names = "--snapshot",
            .argument = "K|last",
            .help = help,
            .to = &snapshot,
            .excludes = {"--step"},
            .offered = [] { return std::vector<std::string>{"last"}; }};
}

Option device_option(std::string& device, const std::string& help) {
    return {.names = "--device",
            .argument = "D",
            .help = help,
            .to = &device,
            .offered = builtin_device_names,
            .completion = Completion::Files};
}

std::vector<std::string> rule_names() {
    std::vector<std::string> names;
    for (const Rule& rule : rules()) {
        const std::string number = std::to_string(rule.id.number);
        if (std::find(names.begin(), names.end(), number) == names.end()) names.push_back(number);
        if (rule.id.variant != 0) names.push_back(to_string(rule.id));
    }
    return names;
}

std::vector<std::string> builtin_device_names() {
    std::vector<std::string> names;
    for (const Device& device : builtin_devices()) names.push_back(device.name);
    return names;
}

std::vector<std::string> type_names() {
    std::vector<std::string> names = json::elem_names();
    names.insert(std::find(names.begin(), names.end(), "f32") + 1, "tf32");
    return names;
}

std::vector<std::string> target_names() {
    std::vector<std::string> names;
    for (const gpu::Target target : gpu::all_targets()) names.push_back(to_string(target));
    return names;
}

std::string joined_names(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::vector<Option> joined(std::vector<Option> options, const std::vector<Option>& more) {
    options.insert(options.end(), more.begin(), more.end());
    return options;
}

}  // namespace blockscope::cli
