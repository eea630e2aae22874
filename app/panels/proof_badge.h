// Whether the current state has been proven, for the status bar; a click tells by which oracle, or proves
// what was cancelled.
#pragma once

#include <QAbstractButton>

#include "app/document/document.h"
#include "app/document/proofs.h"

namespace blockscope {

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

}  // namespace blockscope
