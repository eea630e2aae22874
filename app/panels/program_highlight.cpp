#include "app/panels/program_highlight.h"

#include <algorithm>

#include "app/words/words.h"
#include "core/program/functions.h"

namespace blockscope {

namespace {

bool is_word(QChar c) {
    return (c.isLetterOrNumber() && c.unicode() < 128) || c == QLatin1Char('_');
}

bool is_function(const QString& word) {
    return is_function_name(word.toStdString()) || word == QLatin1String("column");
}

// The end of the number that starts at `i`: digits, '_', one point, an exponent.
int number_end(const QString& line, int i) {
    int end = i;
    const auto sign_of_exponent = [&] {
        return end > i && (line[end] == QLatin1Char('-') || line[end] == QLatin1Char('+')) &&
               line[end - 1].toLower() == QLatin1Char('e');
    };
    while (end < line.size() && (is_word(line[end]) || line[end] == QLatin1Char('.') || sign_of_exponent()))
        ++end;
    return end;
}

}  // namespace

const QStringList& program_keywords() {
    static const QStringList words{"dim", "batch", "group", "input", "mask", "output"};
    return words;
}

const QStringList& program_types() {
    static const QStringList words{"f32", "f16", "bf16", "e4m3", "e5m2"};
    return words;
}

std::vector<ProgramToken> program_tokens(const QString& line) {
    std::vector<ProgramToken> tokens;
    const auto size = static_cast<int>(line.size());
    for (int i = 0; i < size;) {
        const auto add = [&](int end, ProgramWord word) {
            tokens.push_back({i, end - i, word});
            i = end;
        };
        if (line[i] == QLatin1Char('#')) {
            add(size, ProgramWord::Comment);
        } else if (line[i] == QLatin1Char('"')) {
            const auto close = static_cast<int>(line.indexOf(QLatin1Char('"'), i + 1));
            add(close < 0 ? size : close + 1, ProgramWord::Text);
        } else if (line[i].isDigit()) {
            add(number_end(line, i), ProgramWord::Number);
        } else if (is_word(line[i])) {
            int end = i;
            while (end < size && is_word(line[end])) ++end;
            const QString word = line.mid(i, end - i);
            if (program_keywords().contains(word))
                add(end, ProgramWord::Keyword);
            else if (program_types().contains(word))
                add(end, ProgramWord::Type);
            else if (is_function(word))
                add(end, ProgramWord::Function);
            else
                i = end;
        } else {
            ++i;
        }
    }
    return tokens;
}

std::vector<ProgramProblem> program_problems(const QString& text, const Problems& problems) {
    const QStringList lines = text.split(QLatin1Char('\n'));
    std::vector<ProgramProblem> found;
    for (const Problem& problem : problems) {
        ProgramProblem at;
        at.message = in_words(problem.message);
        at.line = std::clamp(problem.place.line - 1, 0, static_cast<int>(lines.size()) - 1);
        const QString& line = lines[at.line];
        // The core counts bytes of UTF-8.
        const QByteArray before = line.toUtf8().left(std::max(0, problem.place.column - 1));
        at.column =
            std::min(static_cast<int>(QString::fromUtf8(before).size()), static_cast<int>(line.size()));
        int end = at.column;
        while (end < line.size() && is_word(line[end])) ++end;
        at.length = std::max(1, end - at.column);
        // At the end of a line there is nothing to underline but what stands before it.
        if (at.column == line.size() && at.column > 0) --at.column;
        found.push_back(std::move(at));
    }
    return found;
}

ProgramHighlighter::ProgramHighlighter(QTextDocument* document, Appearance& appearance)
    : LazyHighlighter(document), appearance_(appearance) {}

void ProgramHighlighter::colour(const QString& text) {
    const Theme& theme = appearance_.theme();
    for (const ProgramToken& token : program_tokens(text)) {
        QTextCharFormat format;
        switch (token.word) {
            case ProgramWord::Keyword:
                format.setForeground(theme.frame_rim);
                format.setFontWeight(QFont::Bold);
                break;
            case ProgramWord::Function:
                format.setForeground(theme.box_rim);
                break;
            case ProgramWord::Type:
                format.setForeground(theme.formula_rim);
                break;
            case ProgramWord::Number:
                format.setForeground(theme.search);
                break;
            case ProgramWord::Text:
                format.setForeground(theme.formula_rim);
                break;
            case ProgramWord::Comment:
                format.setForeground(appearance_.colors().muted);
                format.setFontItalic(true);
                break;
        }
        setFormat(token.start, token.length, format);
    }
}

}  // namespace blockscope
