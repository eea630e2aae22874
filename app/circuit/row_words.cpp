#include "app/circuit/row_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <tuple>
#include <utility>

namespace blockscope {

namespace {

using circuit::DrawnFrame;
using circuit::DrawnGlyph;
using circuit::FrameKind;
using circuit::GlyphKind;
using circuit::OperatorKind;

struct RowWords {
    Q_DECLARE_TR_FUNCTIONS(RowWords)
};

QString text_of(const std::string& text) {
    return QString::fromStdString(text);
}

QString transfer_words(const DrawnGlyph& glyph) {
    const QString what = text_of(glyph.array.empty() ? glyph.shape : glyph.array);
    return glyph.level >= glyph.level_before ? RowWords::tr("loads %1").arg(what)
                                             : RowWords::tr("stores %1").arg(what);
}

// Without own axes an operator says its label alone.
QString glyph_words(const DrawnGlyph& glyph) {
    const QString along = text_of(glyph.along), label = text_of(glyph.label);
    switch (glyph.op) {
        case OperatorKind::Elementwise:
            return RowWords::tr("computes %1").arg(label);
        case OperatorKind::Contraction:
            return RowWords::tr("multiplies and adds along %1").arg(along);
        case OperatorKind::Sum:
            return RowWords::tr("sums along %1").arg(along);
        case OperatorKind::Mean:
            return RowWords::tr("takes the mean along %1").arg(along);
        case OperatorKind::Max:
            return RowWords::tr("takes the maximum along %1").arg(along);
        case OperatorKind::Softmax:
            return RowWords::tr("takes the softmax along %1").arg(along);
        case OperatorKind::RmsNorm:
        case OperatorKind::LayerNorm:
            return RowWords::tr("normalises along %1").arg(along);
        case OperatorKind::Mask:
            return RowWords::tr("makes a mask");
        case OperatorKind::Cast:
            return RowWords::tr("rounds to %1").arg(label);
        case OperatorKind::Transfer:
            return transfer_words(glyph);
        case OperatorKind::Reindex:  // crossings move nothing and say nothing
            return glyph.kind == GlyphKind::Transfer ? QString() : RowWords::tr("takes %1").arg(label);
        case OperatorKind::Custom:
            break;
    }
    return glyph.kind == GlyphKind::Learned ? RowWords::tr("maps by learned weights along %1").arg(along)
                                            : RowWords::tr("applies %1").arg(label);
}

// "groups g_M of M" is titled so already.
QString frame_words(const DrawnFrame& frame, bool begins) {
    const QString title = text_of(frame.title);
    const QString parts = title.section(QLatin1Char(' '), 1);
    switch (frame.kind) {
        case FrameKind::Groups:
            return begins ? RowWords::tr("splits into groups %1").arg(parts)
                          : RowWords::tr("joins the groups %1").arg(parts);
        case FrameKind::Stream:
            return begins ? RowWords::tr("begins the stream %1").arg(parts)
                          : RowWords::tr("ends the stream %1").arg(parts);
        case FrameKind::Repeat:
            return begins ? RowWords::tr("begins what is repeated") : RowWords::tr("ends what is repeated");
        case FrameKind::Named:
            return begins && !title.isEmpty() ? RowWords::tr("begins %1").arg(title) : QString();
        case FrameKind::Kernel:
        case FrameKind::Split:
            break;
    }
    return {};
}

struct Happening {
    double x = 0;
    int order = 0;  // at the same place: ends, then begins, then operators
    double y = 0;
    QString words;
};

QStringList counted(const std::vector<Happening>& all) {
    QStringList events;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i + 1;
        while (end < all.size() && all[end].words == all[i].words) ++end;
        const auto times = static_cast<int>(end - i);
        events << (times == 1 ? all[i].words : RowWords::tr("%1 (%2 times)").arg(all[i].words).arg(times));
        i = end;
    }
    return events;
}

}  // namespace

QStringList row_events(const circuit::Drawing& drawing, std::size_t row) {
    const Rect& line = drawing.lines.at(row);
    std::vector<Happening> all;
    const auto add = [&](double x, int order, double y, QString words) {
        if (!words.isEmpty()) all.push_back({x, order, y, std::move(words)});
    };
    const auto here = [&](const Rect& box) {
        return box.center().y >= line.top() - 1 && box.center().y <= line.bottom() + 1;
    };
    for (const DrawnFrame& frame : drawing.frames) {
        if (!here(frame.rect)) continue;
        if (!frame.open_left) add(frame.rect.left(), 1, -frame.rect.height, frame_words(frame, true));
        if (!frame.open_right) add(frame.rect.right(), 0, frame.rect.height, frame_words(frame, false));
    }
    for (const DrawnGlyph& glyph : drawing.glyphs)
        if (here(glyph.box)) add(glyph.box.center().x, 2, glyph.box.center().y, glyph_words(glyph));
    std::stable_sort(all.begin(), all.end(), [](const Happening& a, const Happening& b) {
        return std::tie(a.x, a.order, a.y) < std::tie(b.x, b.order, b.y);
    });
    return counted(all);
}

std::vector<QString> row_sentences(const circuit::Drawing& drawing) {
    std::vector<QString> sentences;
    const std::size_t rows = drawing.lines.size();
    for (std::size_t row = 0; row < rows; ++row) {
        const QStringList events = row_events(drawing, row);
        const QString said = events.isEmpty() ? RowWords::tr("hands its arrays on")
                                              : events.join(RowWords::tr(", ", "between events"));
        sentences.push_back(rows == 1 ? RowWords::tr("The diagram %1.").arg(said)
                                      : RowWords::tr("Row %1 of %2: %3.").arg(row + 1).arg(rows).arg(said));
    }
    return sentences;
}

}  // namespace blockscope
