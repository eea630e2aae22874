// The array program as its own picture, linked with the block program that came of it.
#pragma once

#include <QWidget>

#include "app/document/document.h"
#include "app/panels/array_links.h"
#include "app/panels/services.h"

namespace blockscope {

class Canvas;
class LateBar;

class ArrayView : public QWidget {
    Q_OBJECT

public:
    ArrayView(Document& document, Services& services, QWidget* parent = nullptr);
    ~ArrayView() override;

    Canvas& canvas() { return *canvas_; }
    // What a click on operator `op` does; -1 selects nothing.
    void select_op(int op);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void show_array();
    void stop_waiting();
    void relight();
    int op_of(int box) const;

    Document& document_;
    Services& services_;
    Canvas* canvas_;
    LateBar* late_;
    CurrentLinks& links_;
    LateBar* late_links_;
    std::shared_ptr<const ArrayProgram> array_;  // what is shown
    std::string source_;
};

}  // namespace blockscope
