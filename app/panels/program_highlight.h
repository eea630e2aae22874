// Colours of a program in the text language, and where in its text the problems are.
#pragma once

#include <vector>

#include "app/panels/lazy_highlighter.h"
#include "app/window/appearance.h"
#include "core/support/result.h"

namespace blockscope {

enum class ProgramWord : std::uint8_t { Keyword, Function, Type, Number, Text, Comment };

struct ProgramToken {
    int start = 0, length = 0;
    ProgramWord word = ProgramWord::Keyword;
    bool operator==(const ProgramToken&) const = default;
};

// The words of one line (docs/language.md) that have a colour.
std::vector<ProgramToken> program_tokens(const QString& line);

// dim, batch, group, input, mask, output.
const QStringList& program_keywords();
// f32, f16, bf16, e4m3, e5m2.
const QStringList& program_types();

// A problem in the text: lines and columns from 0, columns in characters of a QString; the word there.
struct ProgramProblem {
    int line = 0, column = 0, length = 1;
    QString message;
};
std::vector<ProgramProblem> program_problems(const QString& text, const Problems& problems);

class ProgramHighlighter : public LazyHighlighter {
    Q_OBJECT

public:
    ProgramHighlighter(QTextDocument* document, Appearance& appearance);

protected:
    void colour(const QString& text) override;

private:
    Appearance& appearance_;
};

}  // namespace blockscope
