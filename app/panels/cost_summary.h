// What a state costs at its sizes, as texts for a table: numbers with units, and the formulas behind them.
#pragma once

#include <QString>
#include <vector>

#include "core/loops/loop_program.h"

namespace blockscope {

struct CostRow {
    QString name;    // "Traffic"
    QString value;   // "4.43 GB"
    QString detail;  // the exact number and the formula
    double number = 0;
    int column = 0;  // of CostTable, which derives it
};

// Traffic with global memory, arithmetic, local memory, launches, parallel tasks: always these five.
std::vector<CostRow> cost_rows(const LoopProgram& loops);

// "12.3× less", "1.50× more", "same".
QString compared_text(double number, double before);

// "4.43 GB": three digits, powers of ten. `unit` is "B" or "FLOP".
QString quantity_text(std::int64_t number, const QString& unit);

}  // namespace blockscope
