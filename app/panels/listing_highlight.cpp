#include "app/panels/listing_highlight.h"

#include <QSet>

namespace blockscope {

namespace {

bool is_word(QChar c) {
    return (c.isLetterOrNumber() && c.unicode() < 128) || c == QLatin1Char('_');
}

// `word` stands before `next`, the first character behind it; `in_access` inside load(...) or store(...).
ListingWord kind_of(const QString& word, QChar next, bool in_access) {
    static const QSet<QString> loops{"forall", "for", "in", "range"};
    static const QSet<QString> operators{"add",       "mul",       "row_shift", "row_scale",
                                         "col_shift", "col_scale", "row_sum",   "row_max",
                                         "block_max", "dot",       "outer"};
    if (word[0].isDigit()) return ListingWord::Number;
    if (loops.contains(word)) return ListingWord::Loop;
    if (word == QLatin1String("load") || word == QLatin1String("store")) return ListingWord::Memory;
    if (word == QLatin1String("inf")) return ListingWord::Number;
    if (next == QLatin1Char('[')) return ListingWord::Array;
    if (next == QLatin1Char('('))
        return operators.contains(word) ? ListingWord::Operator : ListingWord::Function;
    const bool temporary = word[0] == QLatin1Char('t') && word.size() > 1 &&
                           std::all_of(word.begin() + 1, word.end(), [](QChar c) { return c.isDigit(); });
    if (temporary) return ListingWord::Plain;
    if (in_access) return ListingWord::Array;
    // What is left are loop variables, numbers of blocks, and sizes: "DD".
    const bool doubled = word.size() % 2 == 0 && word.left(word.size() / 2) == word.mid(word.size() / 2);
    return doubled ? ListingWord::Number : ListingWord::Plain;
}

}  // namespace

std::vector<ListingToken> listing_tokens(const QString& line) {
    std::vector<ListingToken> tokens;
    bool access = false;
    int brackets = 0;
    for (int i = 0; i < line.size();) {
        if (line[i] == QLatin1Char('[')) ++brackets;
        if (line[i] == QLatin1Char(']')) --brackets;
        if (!is_word(line[i])) {
            ++i;
            continue;
        }
        int end = i;
        const auto in_number = [&] {
            if (!line[i].isDigit()) return false;
            if (line[end] == QLatin1Char('.')) return true;
            return (line[end] == QLatin1Char('-') || line[end] == QLatin1Char('+')) &&
                   line[end - 1] == QLatin1Char('e');
        };
        while (end < line.size() && (is_word(line[end]) || in_number())) ++end;
        const QString word = line.mid(i, end - i);
        const QChar next = end < line.size() ? line[end] : QChar();
        const ListingWord kind = brackets > 0 ? ListingWord::Plain : kind_of(word, next, access);
        if (kind == ListingWord::Memory) access = true;
        if (kind != ListingWord::Plain) tokens.push_back({i, end - i, kind});
        i = end;
    }
    return tokens;
}

ListingHighlighter::ListingHighlighter(QTextDocument* document, Appearance& appearance)
    : LazyHighlighter(document), appearance_(appearance) {}

void ListingHighlighter::colour(const QString& text) {
    const Theme& theme = appearance_.theme();
    const auto line = static_cast<std::size_t>(currentBlock().blockNumber());
    if (line < struck_.size() && struck_[line]) {
        QTextCharFormat gone;
        gone.setFontStrikeOut(true);
        gone.setForeground(appearance_.colors().muted);
        int start = 0;
        while (start < text.size() && text[start] == QLatin1Char(' ')) ++start;
        setFormat(start, static_cast<int>(text.size()) - start, gone);
        return;
    }
    for (const ListingToken& token : listing_tokens(text)) {
        QTextCharFormat format;
        switch (token.word) {
            case ListingWord::Plain:
                break;
            case ListingWord::Loop:
                format.setForeground(theme.frame_rim);
                format.setFontWeight(QFont::Bold);
                break;
            case ListingWord::Memory:
                format.setForeground(theme.buffered);
                break;
            case ListingWord::Array:
                format.setForeground(theme.array_rim);
                format.setFontWeight(QFont::Bold);
                break;
            case ListingWord::Operator:
                format.setForeground(theme.box_rim);
                break;
            case ListingWord::Function:
                format.setForeground(theme.formula_rim);
                break;
            case ListingWord::Number:
                format.setForeground(theme.search);
                break;
        }
        setFormat(token.start, token.length, format);
    }
}

}  // namespace blockscope
