// Numbers as the tables of a kernel write them.
#pragma once

#include <QString>

namespace blockscope {

// "48 KiB": powers of 1,024, as memories are sold.
QString size_text(double bytes);
// "3.35 TB/s": powers of ten, as devices are described.
QString rate_text(double bytes_per_second);
// "1.32 ms"
QString duration_text(double seconds);
// "16,777,216", "1.68·10¹²"
QString amount_text(double value);
QString percent_text(double share);
QString number_of(double value, int digits = 2);

}  // namespace blockscope
