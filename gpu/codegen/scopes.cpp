#include "gpu/codegen/scopes.h"

#include <algorithm>

#include "gpu/codegen/values.h"

namespace blockscope::gpu {

Scopes::Scopes(const Kernel& kernel) {
    Path path;
    for (const Statement* statement : kernel.before) visit(statement, path);
    for (const Statement* statement : kernel.body) visit(statement, path);
    settle();
}

void Scopes::visit(const Statement* statement, Path& path) {
    path.push_back(statement);
    for (const TempUse& use : temps_of(*statement)) {
        named(use.temp.id, path);
        if (use.set) set_.insert(use.temp.id);
    }
    if (const auto* loop = std::get_if<LoopPtr>(&statement->what)) {
        for (const Temp temp : accumulators(**loop)) named(temp.id, path);
        for (const Statement& inner : (*loop)->body) visit(&inner, path);
    }
    path.pop_back();
}

void Scopes::named(int temp, const Path& path) {
    used_.insert(temp);
    places_[temp].push_back(path);
}

void Scopes::settle() {
    for (const auto& [temp, paths] : places_) {
        const Path& first = paths.front();
        std::size_t common = first.size() - 1;  // loops that are around all
        for (const Path& path : paths) {
            std::size_t same = 0;
            while (same < std::min(common, path.size() - 1) && path[same] == first[same]) ++same;
            common = std::min(common, same);
        }
        before_[first[common]].push_back(temp);
    }
}

void Scopes::declare_first(const std::set<int>& temps) {
    for (auto& [statement, declared] : before_)
        declared.erase(
            std::remove_if(declared.begin(), declared.end(), [&](int temp) { return temps.count(temp) > 0; }),
            declared.end());
}

const std::vector<int>& Scopes::declared_before(const Statement* statement) const {
    static const std::vector<int> none;
    const auto found = before_.find(statement);
    return found == before_.end() ? none : found->second;
}

std::vector<Temp> accumulators(const Loop& loop) {
    std::vector<Temp> found;
    for (const Statement& statement : loop.body) {
        const auto* add = std::get_if<Accumulate>(&statement.what);
        if (add && std::find(found.begin(), found.end(), add->to) == found.end()) found.push_back(add->to);
    }
    return found;
}

}  // namespace blockscope::gpu
