// The performance models of an algorithm as tables; every number is a link that shows where it comes from.
#pragma once

#include <QWidget>
#include <vector>

#include "app/circuit/model_sections.h"

class QTextBrowser;

namespace blockscope {

class ModelView : public QWidget {
    Q_OBJECT

public:
    explicit ModelView(QWidget* parent = nullptr);

    void show_sections(std::vector<ModelSection> sections);
    const std::vector<ModelSection>& sections() const { return sections_; }
    // Shows where a number comes from: its place in the sections.
    void derive(int section, int row, int column);
    QTextBrowser& tables() { return *tables_; }
    QTextBrowser& derivation() { return *derivation_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void write();

    std::vector<ModelSection> sections_;
    QTextBrowser *tables_, *derivation_;
};

}  // namespace blockscope
