// The sample programs, which are compiled in.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <vector>

namespace blockscope {

// Where the start page puts a sample, by what it computes.
enum class Shelf : std::uint8_t {
    Attention,     // a softmax between two products
    FirstFusions,  // at most one product and one operator on rows
    Parts,         // of a transformer: MLPs, low-rank updates
    Blocks,        // five products and more
    Benchmarks,    // the MCFuser paper's programs, which are much alike
};
constexpr int kShelves = 5;

struct Sample {
    QString name;         // "causal-attention"
    QString title;        // "Causal attention"
    QString text;         // in the text language
    QStringList comment;  // its leading comment lines
    Shelf shelf = Shelf::Parts;
};

// Makes what is compiled in (samples, images of the style sheet) known to Qt.
void load_resources();

// Shelf by shelf, attention first, then in the order of their names.
const std::vector<Sample>& samples();
// Null if there is none of that name.
const Sample* find_sample(const QString& name);

}  // namespace blockscope
