// Colours of CUDA source.
#pragma once

#include <vector>

#include "app/panels/lazy_highlighter.h"
#include "app/window/appearance.h"

namespace blockscope {

enum class CudaWord : std::uint8_t { Keyword, Type, Function, Number, Comment };

struct CudaToken {
    int start = 0, length = 0;
    CudaWord word = CudaWord::Keyword;
    bool operator==(const CudaToken&) const = default;
};

// The words of one line that have a colour. A word before '(' or '<' is a function unless it is a type's
// name: one with a capital, or of the language.
std::vector<CudaToken> cuda_tokens(const QString& line);

class CudaHighlighter : public LazyHighlighter {
    Q_OBJECT

public:
    CudaHighlighter(QTextDocument* document, Appearance& appearance);
    // Problems are plain text.
    void set_plain(bool plain) { plain_ = plain; }

protected:
    void colour(const QString& text) override;

private:
    Appearance& appearance_;
    bool plain_ = false;
};

}  // namespace blockscope
