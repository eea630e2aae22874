// What a word of the glossary means, where it stands: hovering explains it, and so does a key for whatever
// has the focus.
#pragma once

#include <QImage>
#include <QObject>
#include <QPoint>
#include <QString>
#include <vector>

#include "core/glossary/glossary.h"

namespace blockscope {

// A term in rich text: its name, its picture, its paragraphs. English, as the page is.
QString term_html(const GlossaryTerm& term);
// Its picture, so many pixels wide; null if it has none.
QImage term_image(const GlossaryTerm& term, int width);

// The terms that a widget shows at a place, or all over it without one: of the row or the header of a list,
// the word of a listing, the text of a label or a button.
std::vector<const GlossaryTerm*> terms_at(const QWidget& widget, const QPoint* place);

// Explains terms in the tooltips of the whole application, behind what the tooltips say themselves.
class TermHelp : public QObject {
    Q_OBJECT

public:
    explicit TermHelp(QObject* parent);
    // What the widget with the focus shows, beside it. False if there is no term in it.
    bool explain_focus();
    // What was shown last.
    const QString& shown() const { return shown_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(const QPoint& place, const QString& own, const std::vector<const GlossaryTerm*>& terms,
              QWidget* widget);

    QString shown_;
};

}  // namespace blockscope
