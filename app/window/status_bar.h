// The bottom line: what is done in the background, which step is shown, how it stands beside the best state,
// its buffered edges, whether it is proven, the zoom.
#pragma once

#include <QAbstractButton>
#include <QLabel>
#include <QStatusBar>

#include "app/costs/best.h"
#include "app/document/document.h"
#include "app/document/proofs.h"
#include "app/shell/services.h"

namespace blockscope {

// ---- Whether the current state has been proven, for the status bar; a click tells by which oracle, or
// proves what was cancelled.

class ProofBadge : public QAbstractButton {
    Q_OBJECT

public:
    ProofBadge(Document& document, Proofs& proofs, QWidget* parent = nullptr);

    QString details() const;  // what the click shows
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void show_details();

    Document& document_;
    Proofs& proofs_;
    Proof proof_;
};

class Canvas;

class StatusBar : public QStatusBar {
    Q_OBJECT

public:
    StatusBar(Document& document, Services& services, Canvas& canvas, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLabel* add(const QString& name);
    void say_state();
    void say_best();
    void say_edges();
    void say_zoom();

    Document& document_;
    Canvas& canvas_;
    Best& best_state_;
    QLabel *state_, *best_, *edges_, *zoom_;
};

}  // namespace blockscope
