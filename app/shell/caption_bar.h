// The caption under the picture: what the step did, why it is legal, what it saves or prepares, and the bytes
// before and after.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QStringList>
#include <QToolButton>

#include "app/document/document.h"
#include "app/shell/appearance.h"

namespace blockscope {

// A sentence as rich text in which words of the glossary are links to "term:Name", in `color`; everything
// else is plain.
QString with_terms(const QString& sentence, const QColor& color);
// What a term means, in its first sentences, for a tooltip.
QString term_tip(const QString& link);

// As high as two lines of the sentence, and in a narrow window as its longest sentence so far, so that the
// picture above stays where it is. In a presentation letters stay large and lines are added. Words that the
// glossary explains are underlined: hovering, or Tab to it, explains.
class CaptionBar : public QFrame {
    Q_OBJECT

public:
    CaptionBar(Document& document, Appearance& appearance, QWidget* parent = nullptr);

    QString sentence() const { return plain_; }  // as it is shown, without marks
    // What the step costs, where it makes the state worse, and why: stands behind the sentence, the reason
    // where there is room for it, or else `with_cause`, the price with the shortest reason. Empty of others.
    void set_price(const QString& price, const QString& reason, const QString& with_cause);
    QString bytes() const { return bytes_->text(); }
    QString head() const { return head_->text(); }  // as much of it as there is room for

Q_SIGNALS:
    void term_clicked(const QString& term);

protected:
    void changeEvent(QEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void size_up();
    QFont letters() const;
    int least_letters() const;
    void fit_sentence();
    bool fit_lines(int least, int most);
    bool fit_letters(int least);
    void choose_sentence(const QStringList& more, bool with_done);
    void show_sentence();
    void fit_head();
    void explain(const QString& link);

    Document& document_;
    Appearance& appearance_;
    QLabel* head_;
    QToolButton* back_;  // to the algorithm, from another branch
    QLabel* bytes_;
    QLabel* sentence_;
    QString told_, plain_, price_, reason_, with_cause_, adds_,
        done_;                                     // told_: of the step, plain_: all that is shown
    StateId priced_ = -1;                          // the state that the price is of
    QStringList heads_;                            // the longest first
    int pixels_ = 0;                               // of its letters
    int lines_ = 0;                                // of sentences at this width and with these letters
    int fitted_width_ = -1, fitted_letters_ = -1;  // that they were counted for
};

// `picture` with a caption under it, both owned by `page`, which is a child of the picture's parent.
struct CaptionedPage {
    QWidget* page;
    CaptionBar* caption;
};
CaptionedPage with_caption(QWidget* picture, Document& document, Appearance& appearance);

}  // namespace blockscope
