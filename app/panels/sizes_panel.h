// Sizes and block sizes of all dimensions, and what the current state costs with them.
#pragma once

#include <QTimer>
#include <QWidget>

#include "app/document/document.h"
#include "app/panels/background.h"
#include "app/panels/cost_summary.h"
#include "app/panels/services.h"
#include "app/panels/sizes_model.h"

class QLabel;
class QTableView;
class QTableWidget;

namespace blockscope {

class SizesPanel : public QWidget {
    Q_OBJECT

public:
    SizesPanel(Document& document, Services& services, QWidget* parent = nullptr);

    SizesModel& model() { return model_; }
    QTableWidget& costs() { return *costs_; }
    bool busy() const { return background_.busy(); }
    // Every size or block size to the next power of two, or the one before.
    void step_all(SizesModel::Column column, bool up);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit_numbers();
    QWidget* make_steps();
    void set_up_tables();
    void open_editors();
    bool open_editors_of(int row);
    void refresh();
    void stop_waiting();
    void say(const QString& what);
    void fit_costs();
    void open_derivation(int row, int column);
    void show_costs(const std::vector<CostRow>& now, const std::vector<CostRow>& first);

    Document& document_;
    SizesModel model_;
    QTableView* table_;
    QTableWidget* costs_;
    QLabel* message_;
    bool limited_ = false;  // sizes come that are not as they were typed, which the message says
    Background background_;
    QTimer opening_;  // fires once events have been handled
    ProgramPtr program_, initial_;
};

}  // namespace blockscope
