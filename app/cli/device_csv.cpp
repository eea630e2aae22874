#include "app/cli/device_csv.h"

#include <sstream>

namespace blockscope::cli {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

}  // namespace

std::string devices_csv(const std::vector<Device>& devices) {
    std::ostringstream text;
    text.precision(9);
    text << "device,figure,value,source,how\n";
    for (const Device& device : devices)
        for (const NamedFigure& named : known_figures(device))
            text << device.name << ',' << quoted(named.name) << ',' << named.figure->value << ','
                 << quoted(named.figure->source) << ',' << quoted(named.figure->how) << '\n';
    return text.str();
}

}  // namespace blockscope::cli
