// Checks of options that are numbers. CLI11's own say "not in range 0 to" the largest number with all of its
// 309 digits.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

namespace blockscope::cli {

// `holds` is asked for a finite number; `what`: "a number above 0".
template <class Holds>
CLI::Validator number_that(const Holds& holds, const std::string& what, const std::string& name) {
    return {[holds, what](std::string& text) {
                double number = 0;
                const bool is =
                    CLI::detail::lexical_cast(text, number) && std::isfinite(number) && holds(number);
                return is ? std::string() : "'" + text + "' is not " + what;
            },
            name};
}

inline CLI::Validator above_zero() {
    return number_that([](double number) { return number > 0; }, "a number above 0", "POSITIVE");
}

inline CLI::Validator not_below_zero() {
    return number_that([](double number) { return number >= 0; }, "a number from 0 on", "NONNEGATIVE");
}

inline CLI::Validator between(double least, double most) {
    const auto text = [](double number) {
        std::string digits = std::to_string(number);
        digits.erase(digits.find_last_not_of('0') + 1);
        return digits.back() == '.' ? digits.substr(0, digits.size() - 1) : digits;
    };
    return number_that([=](double number) { return number >= least && number <= most; },
                       "a number from " + text(least) + " to " + text(most), "RANGE");
}

inline CLI::Validator percent_up_to(double most) {
    return number_that([most](double number) { return number >= 0 && number <= most; },
                       "a percentage from 0 to " + std::to_string(static_cast<int>(most)), "PERCENTAGE");
}

// CLI11 reads the number from 2^64 on, and below 0, as another one.
inline CLI::Validator seed_number() {
    return {[](std::string& text) {
                const bool digits = !text.empty() && text.size() <= 18 &&
                                    text.find_first_not_of("0123456789") == std::string::npos;
                return digits ? std::string() : "'" + text + "' is not a whole number from 0, below 10^18";
            },
            "SEED"};
}

}  // namespace blockscope::cli
