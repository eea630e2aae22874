// The panel of matches: where rules apply, and why one does not.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QWidget>

#include "app/panels/match_list.h"
#include "app/panels/why_view.h"

namespace blockscope {

class Matches : public QWidget {
    Q_OBJECT

public:
    explicit Matches(Document& document, QWidget* parent = nullptr);

    MatchFinder& finder() { return finder_; }
    MatchList& list() { return *list_; }
    WhyView& why() { return *why_; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QLayout* make_head();
    void filter();
    void say_count();

    Document& document_;
    MatchFinder finder_;
    MatchList* list_;
    WhyView* why_;
    QComboBox* rules_;
    QLineEdit* text_;
    QLabel* count_;
};

}  // namespace blockscope
