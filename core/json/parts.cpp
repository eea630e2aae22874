#include "core/json/parts.h"

#include <limits>

namespace blockscope::json {

namespace {

constexpr std::int64_t kMaxSize = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMaxDims = std::numeric_limits<std::uint16_t>::max();

const std::vector<std::string>& dim_kind_names() {
    static const std::vector<std::string> names = {"blocked", "batch", "group"};
    return names;
}

const std::vector<std::string>& item_names() {
    static const std::vector<std::string> names = {"block", "vector", "scalar"};
    return names;
}

// Axes of an item: rows and columns, one axis, none.
std::size_t axis_count(ItemKind kind) {
    switch (kind) {
        case ItemKind::Block:
            return 2;
        case ItemKind::Vector:
            return 1;
        case ItemKind::Scalar:
            return 0;
    }
    throw InternalError("unknown item kind");
}

template <class E>
const std::string& name_of(const std::vector<std::string>& names, E value) {
    return names.at(static_cast<std::size_t>(value));
}

std::optional<Dim> read_dim(const Reader& reader) {
    if (!reader.object({"name", "size", "block", "kind"})) return std::nullopt;
    const auto name = reader.member("name").identifier();
    const auto size = reader.member("size").integer(1, kMaxSize);
    const auto kind = reader.member("kind").choice(dim_kind_names());
    if (!name || !size || !kind) return std::nullopt;
    // Only axes of vectors and matrices are split into blocks.
    const bool blocked = static_cast<DimKind>(*kind) == DimKind::Blocked;
    const auto block = reader.member("block").integer(1, blocked ? *size : 1);
    if (!block) return std::nullopt;
    return Dim{*name, *size, *block, static_cast<DimKind>(*kind)};
}

}  // namespace

Dims::Dims(const Reader& list) {
    if (!list.array(0, kMaxDims)) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader reader = list.at(i);
        std::optional<Dim> dim = read_dim(reader);
        if (!dim) continue;
        if (!by_name_.emplace(dim->name, static_cast<std::uint16_t>(table_.size())).second) {
            reader.member("name").problem("the dimension \"" + printable(dim->name, 40) +
                                          "\" is declared twice; every dimension needs a name of its own");
            continue;
        }
        table_.push_back(std::move(*dim));
    }
}

Dims::Dims(const DimTable& table) : table_(table) {
    for (std::size_t i = 0; i < table_.size(); ++i)
        by_name_.emplace(table_[i].name, static_cast<std::uint16_t>(i));
}

std::optional<DimId> Dims::find(const Reader& reader) const {
    const auto name = reader.string(kMaxNameBytes);
    if (!name) return std::nullopt;
    const auto found = by_name_.find(*name);
    if (found != by_name_.end()) return DimId{found->second};
    reader.problem("found the unknown dimension \"" + printable(*name, 40) +
                   "\"; dims declares the known ones");
    return std::nullopt;
}

std::optional<std::vector<DimId>> Dims::find_all(const Reader& names, std::size_t most) const {
    if (!names.array(0, most)) return std::nullopt;
    std::vector<DimId> result;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (const auto dim = find(names.at(i))) result.push_back(*dim);
    }
    if (result.size() != names.size()) return std::nullopt;
    return result;
}

bool Dims::spend(std::int64_t nodes) {
    spent_ += nodes;
    return spent_ <= kMaxAllExprNodes;
}

Value dims_value(const DimTable& dims) {
    Array list;
    for (const Dim& dim : dims) {
        list.push_back(Object{{"name", dim.name},
                              {"size", dim.size},
                              {"block", dim.block},
                              {"kind", name_of(dim_kind_names(), dim.kind)}});
    }
    return list;
}

Value dim_value(DimId dim, const DimTable& dims) {
    return dims.at(dim.value).name;
}

Value dim_values(const std::vector<DimId>& list, const DimTable& dims) {
    Array names;
    for (const DimId dim : list) names.push_back(dim_value(dim, dims));
    return names;
}

const std::vector<std::string>& elem_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        for (const ElemType elem :
             {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2}) {
            result.push_back(to_string(elem));
        }
        return result;
    }();
    return names;
}

const std::vector<std::string>& fn_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        result.reserve(kFnCount);
        for (int i = 0; i < kFnCount; ++i) result.push_back(to_string(static_cast<Fn>(i)));
        return result;
    }();
    return names;
}

const std::vector<std::string>& source_names() {
    static const std::vector<std::string> names = {"array", "causal_mask"};
    return names;
}

std::optional<ElemType> read_elem(const Reader& reader) {
    const auto elem = reader.choice(elem_names());
    if (!elem) return std::nullopt;
    return static_cast<ElemType>(*elem);
}

Value type_value(const Type& type, const DimTable& dims) {
    std::vector<DimId> list;
    list.reserve(kMaxRank);
    for (int i = 0; i < type.rank(); ++i) list.push_back(type.dim(i));
    std::vector<DimId> axes = {type.item().rows, type.item().cols};
    axes.resize(axis_count(type.item().kind));
    return Object{{"list", dim_values(list, dims)},
                  {"item", name_of(item_names(), type.item().kind)},
                  {"axes", dim_values(axes, dims)},
                  {"elem", to_string(type.elem())}};
}

std::optional<Type> read_type(const Reader& reader, const Dims& dims) {
    if (!reader.object({"list", "item", "axes", "elem"})) return std::nullopt;
    const auto list = dims.find_all(reader.member("list"), kMaxRank);
    const auto kind = reader.member("item").choice(item_names());
    const auto elem = read_elem(reader.member("elem"));
    if (!kind) return std::nullopt;
    const std::size_t count = axis_count(static_cast<ItemKind>(*kind));
    const Reader axes_reader = reader.member("axes");
    if (!axes_reader.array(count, count)) return std::nullopt;
    const auto axes = dims.find_all(axes_reader, count);
    if (!list || !elem || !axes) return std::nullopt;
    Item item;
    item.kind = static_cast<ItemKind>(*kind);
    if (count > 0) item.rows = (*axes)[0];
    if (count > 1) item.cols = (*axes)[1];
    Type type(item, *elem);
    for (auto dim = list->rbegin(); dim != list->rend(); ++dim) type = type.list_over(*dim);
    return type;
}

}  // namespace blockscope::json
