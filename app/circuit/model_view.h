// Numbers as the tables of a kernel write them.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <array>
#include <vector>

#include "core/napkin/study.h"

class QTextBrowser;

namespace blockscope {

// "48 KiB": powers of 1,024, as memory sizes are given.
QString size_text(double bytes);
// "3.35 TB/s": powers of ten, as vendors give bandwidths.
QString rate_text(double bytes_per_second);
// "1.32 ms"
QString duration_text(double seconds);
// "16,777,216", "1.68·10¹²"
QString amount_text(double value);
QString percent_text(double share);
QString number_of(double value, int digits = 2);

// What the napkin's performance models say of an algorithm on a device, as tables whose numbers say where
// they come from: H* and the groups that have it, levels, quantisation, caches, linked instances and
// arithmetic intensity (Sections 4.1 to 4.5, Appendices A.2 and B.1).
struct ModelCell {
    QString text;
    QString derivation;  // how the number is computed, as rich text; empty for cells without a number
};

struct ModelSection {
    QString title;
    QString note;  // the text under the title; says why there is no table; may be empty
    QStringList headers;
    std::vector<std::vector<ModelCell>> rows;
};

// `device` is the one of the study.
std::vector<ModelSection> model_sections(const circuit::Study& study, const Device& device);
std::vector<ModelSection> model_sections(const circuit::DiagramStudy& study, const Device& device);

// The tables as comma-separated values in UTF-8, one after the other, each below a line with its title.
QByteArray csv_of(const std::vector<ModelSection>& sections);

// The performance models of an algorithm as tables; every number is a link that shows where it comes from.
class ModelView : public QWidget {
    Q_OBJECT

public:
    explicit ModelView(QWidget* parent = nullptr);

    void show_sections(std::vector<ModelSection> sections);
    const std::vector<ModelSection>& sections() const { return sections_; }
    // Shows how the number in this cell is computed.
    void derive(int section, int row, int column);
    QTextBrowser& tables() { return *tables_; }
    QTextBrowser& derivation() { return *derivation_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void write();
    // Writes what derive() showed last; before the first call, a hint to click on a number.
    void write_derivation();

    std::vector<ModelSection> sections_;
    std::array<int, 3> derived_ = {-1, -1, -1};  // section, row, column
    QTextBrowser *tables_, *derivation_;
};

}  // namespace blockscope
