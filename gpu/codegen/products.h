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

// The operands of a product, in order, as the statement has them; null if it is none.
const std::vector<Temp>* operands_of(const Statement& statement);

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
    Products(const LoopProgram& program, const DeviceValues& values, const std::set<int>& shared,
             const ProductRules& rules);

    Arithmetic of(const Statement& product) const { return products_.at(&product); }
    // Those whose arithmetic is of another type than their left operand, by their nodes.
    std::map<NodeId, ElemType> other_types(const DeviceValues& values) const;
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

// Products that are added to something by the next operator that reads them: tensor cores do that addition,
// too.

// Temporaries set once, by a product for tensor cores, and read once, by an `add` behind it in the same body
// with no loop between them. What is computed where they are added needs no registers of its own.
std::set<int> delayed_products(const LoopProgram& program, const Products& products);

// How many numbers of blocks are alive at once.

// The most numbers of blocks in registers, of a whole thread block, between two lines of the program.
// Operands that a line uses last do not count beside its result, nor do delayed products.
std::int64_t most_numbers_alive(const LoopProgram& program, const DeviceValues& values,
                                const Products& products, const std::set<int>& delayed);
// The same of some lines alone, where `size` says what a temporary takes.
std::int64_t most_alive(const std::vector<const Statement*>& lines,
                        const std::function<std::int64_t(Temp)>& size);

}  // namespace blockscope::gpu
