// Colours of a listing's words: the same as in the picture. Traffic with memory is red as buffered edges are,
// block operators and elementwise functions have the colours of their boxes.
#pragma once

#include <vector>

#include "app/panels/lazy_highlighter.h"
#include "app/window/appearance.h"

namespace blockscope {

enum class ListingWord : std::uint8_t { Plain, Loop, Memory, Array, Operator, Function, Number };

struct ListingToken {
    int start = 0, length = 0;
    ListingWord word = ListingWord::Plain;
    bool operator==(const ListingToken&) const = default;
};

// The words of one line of a listing (docs/listing.md has the grammar), all but plain ones.
std::vector<ListingToken> listing_tokens(const QString& line);

class ListingHighlighter : public LazyHighlighter {
    Q_OBJECT

public:
    ListingHighlighter(QTextDocument* document, Appearance& appearance);
    // Lines that are struck through: they belong to the listing before.
    void set_struck(std::vector<bool> lines) { struck_ = std::move(lines); }

protected:
    void colour(const QString& text) override;

private:
    Appearance& appearance_;
    std::vector<bool> struck_;
};

}  // namespace blockscope
