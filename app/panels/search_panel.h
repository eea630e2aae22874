// Find in the picture: matches are lit, listed and gone through one by one.
#pragma once

#include <QWidget>
#include <vector>

#include "app/document/document.h"
#include "app/panels/found_rows.h"
#include "app/panels/services.h"

class QLabel;
class QLineEdit;
class QListView;
class QToolButton;

namespace blockscope {

class SearchPanel : public QWidget {
    Q_OBJECT

public:
    SearchPanel(Document& document, Services& services, QWidget* parent = nullptr);

    void look_for(const QString& text, bool regular = false);
    void go(int by);  // to the next (1) or previous (-1) match
    const std::vector<NodeId>& found() const { return found_; }
    QString status() const;

protected:
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* make_bar();
    void refresh();
    void list();
    void light(bool on);
    void say();
    QString nothing_matches() const;
    void chosen(int row);

    Document& document_;
    Services& services_;
    QLineEdit* text_ = nullptr;
    QToolButton* regular_ = nullptr;
    QToolButton* previous_ = nullptr;
    QToolButton* next_ = nullptr;
    QLabel* status_;
    FoundRows rows_;
    QListView* results_;
    bool stale_ = false;  // what follows is of the program before: looked for anew once the panel is seen
    ProgramPtr program_;
    std::vector<NodeId> found_;
    QString problem_;
};

}  // namespace blockscope
