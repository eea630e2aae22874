// The sample programs, which are compiled in.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace blockscope {

struct Sample {
    QString name;            // "causal-attention"
    QString title;           // "Causal attention"
    QString text;            // in the text language
    QStringList comment;     // its leading comment lines
    bool benchmark = false;  // one of the MCFuser paper's programs, which are much alike
};

// Makes what is compiled in (samples, images of the style sheet) known to Qt.
void load_resources();

// Attention first, then in the order of their names.
const std::vector<Sample>& samples();
// Null if there is none of that name.
const Sample* find_sample(const QString& name);

}  // namespace blockscope
