#include "app/words/words.h"

#include <QCoreApplication>
#include <string_view>
#include <utility>

#include "app/words/circuit_phrases.h"
#include "app/words/worker_phrases.h"

namespace blockscope {
namespace {

constexpr const char* kContext = "Core";

QString translated(const char* english) {
    return QCoreApplication::translate(kContext, english);
}

bool is_place(const char* at) {
    return at[0] == '%' && at[1] >= '1' && at[1] <= '9';
}

// What ends the argument that begins before `at`: the characters up to the next place, or to the end.
std::string_view piece_at(const char* at) {
    const char* end = at;
    while (*end != '\0' && !is_place(end)) ++end;
    return {at, static_cast<std::size_t>(end - at)};
}

QString with_phrases(const std::string& text, const std::vector<Phrase>& phrases,
                     const std::vector<Phrase>& parts, bool& found);

QString filled(const Phrase& phrase, const std::vector<std::string>& arguments,
               const std::vector<Phrase>& parts) {
    QString text = translated(phrase.english);
    QString result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const int place = text[i] == QLatin1Char('%') && i + 1 < text.size() ? text[i + 1].digitValue() : -1;
        if (place < 1 || place > static_cast<int>(arguments.size())) {
            result += text[i];
            continue;
        }
        bool is_name = false;
        const std::string& argument = arguments[static_cast<std::size_t>(place - 1)];
        const QString name = with_phrases(argument, parts, parts, is_name);
        result += is_name ? name : QString::fromStdString(argument);
        ++i;
    }
    return result;
}

// `parts`: what can stand in the places of `phrases`.
QString with_phrases(const std::string& text, const std::vector<Phrase>& phrases,
                     const std::vector<Phrase>& parts, bool& found) {
    for (const Phrase& phrase : phrases)
        if (const auto arguments = arguments_of(phrase, text)) {
            found = true;
            return filled(phrase, *arguments, parts);
        }
    return {};
}

void collect_without_phrase(const std::string& text, const std::vector<Phrase>& phrases,
                            std::vector<std::string>& left) {
    for (const Phrase& phrase : phrases)
        if (const auto arguments = arguments_of(phrase, text)) {
            for (const std::string& argument : *arguments)
                collect_without_phrase(argument, problem_parts(), left);
            return;
        }
    left.push_back(text);
}

}  // namespace

// Every argument is as short as can be, but for the last, which what follows it has to end the text.
std::optional<std::vector<std::string>> arguments_of(const Phrase& phrase, const std::string& text) {
    std::vector<std::string> arguments;
    std::size_t done = 0;
    const char* at = phrase.english;
    while (*at != '\0') {
        if (!is_place(at)) {
            const std::string_view piece = piece_at(at);
            if (text.compare(done, piece.size(), piece) != 0) return {};
            done += piece.size();
            at += piece.size();
            continue;
        }
        const auto place = static_cast<std::size_t>(at[1] - '0');
        at += 2;
        const std::string_view piece = piece_at(at);
        const bool last = at[piece.size()] == '\0';
        if (last && text.size() < done + piece.size() + 1) return {};
        const std::size_t end = last ? text.size() - piece.size() : text.find(piece, done + 1);
        if (end == std::string::npos || text.compare(end, piece.size(), piece) != 0) return {};
        if (arguments.size() < place) arguments.resize(place);
        arguments[place - 1] = text.substr(done, end - done);
        done = end;
    }
    if (done != text.size()) return {};
    return arguments;
}

bool has_phrase(const std::string& english) {
    for (const auto* phrases : {&sentences(), &names(), &circuit_phrases()})
        for (const Phrase& phrase : *phrases)
            if (arguments_of(phrase, english)) return true;
    return false;
}

QString in_words(const std::string& english) {
    if (english.empty()) return {};
    bool found = false;
    const std::pair<const std::vector<Phrase>&, const std::vector<Phrase>&> all[] = {
        {sentences(), names()},
        {circuit_sentences(), circuit_phrases()},
        {problem_sentences(), problem_parts()},
        {worker_sentences(), worker_parts()},
        {names(), names()}};
    for (const auto& [phrases, parts] : all) {
        QString text = with_phrases(english, phrases, parts, found);
        if (found) return text;
    }
    return translated(english.c_str());
}

QString in_kernel_words(const std::string& english) {
    static const std::vector<Phrase> parts = [] {
        std::vector<Phrase> all = kernel_phrases();
        all.insert(all.end(), circuit_phrases().begin(), circuit_phrases().end());
        return all;
    }();
    bool found = false;
    const QString text = with_phrases(english, kernel_phrases(), parts, found);
    return found ? text : in_words(english);
}

std::vector<std::string> without_phrase(const std::string& message) {
    std::vector<std::string> left;
    collect_without_phrase(message, problem_sentences(), left);
    return left;
}

QString in_words(const Problem& problem) {
    Problem said = problem;
    said.message = in_words(problem.message).toStdString();
    return QString::fromStdString(to_string(said));
}

QString as_sentence(const std::string& english) {
    QString text = in_words(english);
    // The id of a node ("n12") stays as it is written in pictures.
    const bool is_node = text.size() > 1 && text[0] == QLatin1Char('n') && text[1].isDigit();
    if (!text.isEmpty() && !is_node) text[0] = text[0].toUpper();
    return text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}

}  // namespace blockscope
