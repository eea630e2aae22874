// The performance models of an algorithm as tables; every number is a link that shows where it comes from.
#pragma once

#include <QWidget>
#include <array>
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
    // What derive() showed last, of these sections; else how to ask for it.
    void write_derivation();

    std::vector<ModelSection> sections_;
    std::array<int, 3> derived_ = {-1, -1, -1};  // section, row, column
    QTextBrowser *tables_, *derivation_;
};

}  // namespace blockscope
