#include "app/cuda/cuda_highlight.h"

#include <QStringList>

namespace blockscope {

namespace {

bool is_word(QChar c) {
    return (c.isLetterOrNumber() && c.unicode() < 128) || c == QLatin1Char('_');
}

bool is_keyword(const QString& word) {
    static const QStringList words{
        "KERNEL",   "DEVICE",   "UNROLL", "asm",      "auto",    "break",    "case",   "constexpr",
        "const",    "else",     "extern", "false",    "for",     "if",       "inline", "namespace",
        "operator", "return",   "static", "struct",   "switch",  "template", "true",   "typename",
        "using",    "volatile", "while",  "continue", "default", "do",       "sizeof",
    };
    return words.contains(word);
}

bool is_type(const QString& word) {
    static const QStringList words{"bool",     "char", "double", "float", "int",  "long", "short",
                                   "unsigned", "void", "float4", "f16",   "bf16", "e4m3", "e5m2"};
    if (words.contains(word)) return true;
    // Block, View, Rows: a capital, then something small.
    return word.size() > 1 && word[0].isUpper() && word[1].isLower();
}

int number_end(const QString& line, int i) {
    int end = i;
    while (end < line.size() && (is_word(line[end]) || line[end] == QLatin1Char('.'))) ++end;
    return end;
}

}  // namespace

std::vector<CudaToken> cuda_tokens(const QString& line) {
    std::vector<CudaToken> tokens;
    const auto size = static_cast<int>(line.size());
    for (int i = 0; i < size;) {
        const auto add = [&](int end, CudaWord word) {
            tokens.push_back({i, end - i, word});
            i = end;
        };
        if (line.mid(i, 2) == QLatin1String("//")) {
            add(size, CudaWord::Comment);
        } else if (line[i] == QLatin1Char('#')) {
            add(size, CudaWord::Keyword);
        } else if (line[i].isDigit()) {
            add(number_end(line, i), CudaWord::Number);
        } else if (is_word(line[i])) {
            int end = i;
            while (end < size && is_word(line[end])) ++end;
            const QString word = line.mid(i, end - i);
            const bool called =
                end < size && (line[end] == QLatin1Char('(') || line[end] == QLatin1Char('<'));
            if (is_keyword(word))
                add(end, CudaWord::Keyword);
            else if (is_type(word))
                add(end, CudaWord::Type);
            else if (called)
                add(end, CudaWord::Function);
            else
                i = end;
        } else {
            ++i;
        }
    }
    return tokens;
}

CudaHighlighter::CudaHighlighter(QTextDocument* document, Appearance& appearance)
    : LazyHighlighter(document), appearance_(appearance) {}

void CudaHighlighter::colour(const QString& text) {
    if (plain_) return;
    const Theme& theme = appearance_.theme();
    for (const CudaToken& token : cuda_tokens(text)) {
        QTextCharFormat format;
        switch (token.word) {
            case CudaWord::Keyword:
                format.setForeground(theme.frame_rim);
                format.setFontWeight(QFont::Bold);
                break;
            case CudaWord::Type:
                format.setForeground(theme.formula_rim);
                break;
            case CudaWord::Function:
                format.setForeground(theme.box_rim);
                break;
            case CudaWord::Number:
                format.setForeground(theme.search);
                break;
            case CudaWord::Comment:
                format.setForeground(appearance_.colors().muted);
                format.setFontItalic(true);
                break;
        }
        setFormat(token.start, token.length, format);
    }
}

}  // namespace blockscope
