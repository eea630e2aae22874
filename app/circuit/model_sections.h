// What the napkin's performance models say of an algorithm on a device, as tables whose numbers say where
// they come from: H* and the groups that have it, levels, quantisation, caches, linked instances and
// arithmetic intensity (Sections 4.1 to 4.5, Appendices A.2 and B.1).
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "core/circuit/drawn.h"

namespace blockscope {

struct ModelCell {
    QString text;
    QString derivation;  // rich text; empty of what is no number
};

struct ModelSection {
    QString title;
    QString note;  // under the title; may be empty, or say why there is no table
    QStringList headers;
    std::vector<std::vector<ModelCell>> rows;
};

// `device` is the one of the study.
std::vector<ModelSection> model_sections(const circuit::Study& study, const Device& device);
std::vector<ModelSection> model_sections(const circuit::DrawnStudy& study, const Device& device);

// Tables one after the other, as comma-separated values in UTF-8: the title in a line of its own.
QByteArray csv_of(const std::vector<ModelSection>& sections);

}  // namespace blockscope
