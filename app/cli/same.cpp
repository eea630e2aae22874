#include "app/cli/same.h"

#include <algorithm>

#include "app/cli/failures.h"
#include "app/cli/selection.h"

namespace blockscope::cli {

namespace {

std::pair<std::string, std::string> names_in(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        throw UsageError("'" + text + "' does not say which dimensions are the same; expected D=L");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

const std::string& symbol_of(const circuit::Axis& axis) {
    return axis.symbol.empty() ? axis.name : axis.symbol;
}

const circuit::Axis& axis_called(const circuit::Axes& axes, const std::string& name) {
    const auto found = std::find_if(axes.begin(), axes.end(), [&](const circuit::Axis& axis) {
        return !axis.name.empty() && symbol_of(axis) == name;
    });
    if (found == axes.end()) throw UsageError("there is no axis '" + name + "'");
    return *found;
}

}  // namespace

std::pair<DimId, DimId> same_dims(const BlockProgram& program, const std::string& text) {
    const auto [kept_name, other_name] = names_in(text);
    const DimId kept = find_dim(program, kept_name);
    const DimId other = find_dim(program, other_name);
    const Dim& a = program.dims[kept.value];
    const Dim& b = program.dims[other.value];
    if (a.size != b.size || a.block != b.block)
        throw UsageError("'" + text + "': " + a.name + " and " + b.name +
                         " are not the same: they have other sizes or block sizes");
    return {kept, other};
}

void write_alike(circuit::Axes& axes, const std::vector<std::string>& same) {
    for (const std::string& text : same) {
        const auto [kept, other] = names_in(text);
        if (axis_called(axes, kept).size != axis_called(axes, other).size)
            throw UsageError("'" + text + "': " + kept + " and " + other + " have other sizes");
        for (circuit::Axis& axis : axes)
            if (!axis.name.empty() && symbol_of(axis) == other) axis.symbol = kept;
    }
}

}  // namespace blockscope::cli
