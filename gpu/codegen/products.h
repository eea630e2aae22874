// How each product is computed, and which temporaries are tiles in shared memory for it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "gpu/codegen/values.h"

namespace blockscope::gpu {

// Float32: with ordinary instructions, through panels. The others: by tensor cores, from operands of this
// type.
enum class Arithmetic : std::uint8_t { Float32, F16, BF16, TF32, E4M3, E5M2 };

// The type of tiles that the arithmetic takes. Throws InternalError for Float32, which takes none.
ElemType tile_elem(Arithmetic arithmetic);

// The operands of a product, in order; nullopt if the statement is none.
std::optional<std::vector<Temp>> operands_of(const Statement& statement);

// What tensor cores may do.
struct ProductRules {
    bool tensor_cores = false;  // else everything is Float32
    bool tf32 = false;          // take operands of float32, too
    bool eight_bits =
        false;  // take operands of 8 bits as they are, if their columns are neighbours in memory
    std::function<bool(int buffer)> along_rows = [](int) { return false; };  // whether those of a buffer are
};

class Products {
public:
    // Temporaries of several kernels (`shared`) are no tiles.
    Products(const LoopProgram& program, const Values& values, const std::set<int>& shared,
             const ProductRules& rules);

    Arithmetic of(const Statement& product) const { return products_.at(&product); }
    bool any_by_tensor_cores() const;
    bool any_in_float32() const;

    // The element type of the tile that a loaded temporary is; nullopt if it is none.
    std::optional<ElemType> tile(Temp temp) const;
    // Whether it is an operand of tensor cores that comes out of registers.
    bool from_registers(Temp temp) const;

private:
    std::map<const Statement*, Arithmetic> products_;
    std::map<int, Arithmetic> tiles_;     // temporaries in shared memory
    std::map<int, bool> from_registers_;  // the other operands of tensor cores
};

}  // namespace blockscope::gpu
