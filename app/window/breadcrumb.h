// "attention > M-map > N-map > dot": where the selection is, each part a button.
#pragma once

#include <QWidget>

#include "app/document/document.h"
#include "app/layout/layout.h"

class QHBoxLayout;

namespace blockscope {

class Breadcrumb : public QWidget {
    Q_OBJECT

public:
    explicit Breadcrumb(Document& document, QWidget* parent = nullptr);
    // The way to what is selected in `picture`.
    void show_way(const PicturePtr& picture);

Q_SIGNALS:
    void chosen(NodeId node);  // no node: the whole program

protected:
    bool event(QEvent* event) override;

private:
    void add_part(const QString& text, NodeId node, bool last);

    Document& document_;
    QHBoxLayout* row_;
};

}  // namespace blockscope
