#include "core/graph/type.h"

#include "core/support/result.h"

namespace blockscope {

bool meets(const Dim& dim, BlockNeed need) {
    if (need == BlockNeed::Any) return true;
    if (dim.size % 2 != 0) return false;
    return dim.blocks() == 1 || (need == BlockNeed::Even && dim.block % 2 == 0);
}

std::string described(BlockNeed need) {
    if (need == BlockNeed::Whole) return "one block of an even size";
    return need == BlockNeed::Even ? "blocks of an even size" : "blocks";
}

void add_need(BlockNeeds& needs, DimId dim, BlockNeed need) {
    if (need == BlockNeed::Any) return;
    if (needs.size() <= dim.value) needs.resize(dim.value + std::size_t{1}, BlockNeed::Any);
    needs[dim.value] = std::max(needs[dim.value], need);
}

void meet_needs(DimTable& dims, const BlockNeeds& needs) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
        Dim& dim = dims[i];
        const BlockNeed need = need_of(needs, i);
        if (need == BlockNeed::Whole) dim.block = dim.size;
        if (need == BlockNeed::Even) dim.block = std::min(dim.size, dim.block + dim.block % 2);
    }
}

Type Type::list_over(DimId dim) const {
    if (rank_ == kMaxRank) throw InternalError("a value has more than 8 list dimensions");
    Type result = *this;
    for (std::size_t i = rank_; i > 0; --i) result.dims_[i] = dims_[i - 1];
    result.dims_[0] = dim;
    ++result.rank_;
    return result;
}

Type Type::element() const {
    if (rank_ == 0) throw InternalError("an item has no elements");
    Type result = *this;
    for (std::size_t i = 1; i < rank_; ++i) result.dims_[i - 1] = dims_[i];
    --result.rank_;
    result.dims_[result.rank_] = DimId{};
    return result;
}

Type Type::element(int count) const {
    Type result = *this;
    for (int i = 0; i < count; ++i) result = result.element();
    return result;
}

Type Type::with_item(Item item) const {
    Type result = *this;
    result.item_ = item;
    return result;
}

Type Type::with_elem(ElemType elem) const {
    Type result = *this;
    result.elem_ = elem;
    return result;
}

int bytes_per_element(ElemType elem) {
    switch (elem) {
        case ElemType::F32:
            return 4;
        case ElemType::F16:
        case ElemType::BF16:
            return 2;
        case ElemType::E4M3:
        case ElemType::E5M2:
            return 1;
    }
    throw InternalError("unknown element type");
}

std::string to_string(ElemType elem) {
    switch (elem) {
        case ElemType::F32:
            return "f32";
        case ElemType::F16:
            return "f16";
        case ElemType::BF16:
            return "bf16";
        case ElemType::E4M3:
            return "e4m3";
        case ElemType::E5M2:
            return "e5m2";
    }
    throw InternalError("unknown element type");
}

namespace {

std::string item_text(const Item& item, const DimTable& dims) {
    switch (item.kind) {
        case ItemKind::Block:
            return "block[" + dims.at(item.rows.value).name + "," + dims.at(item.cols.value).name + "]";
        case ItemKind::Vector:
            return "vector[" + dims.at(item.rows.value).name + "]";
        case ItemKind::Scalar:
            return "scalar";
    }
    throw InternalError("unknown item kind");
}

}  // namespace

std::string to_string(const Type& type, const DimTable& dims) {
    std::string text;
    for (int i = 0; i < type.rank(); ++i) text += (i ? "," : "(") + dims.at(type.dim(i).value).name;
    if (type.is_list()) text += ") ";
    return text + item_text(type.item(), dims) + " " + to_string(type.elem());
}

}  // namespace blockscope
