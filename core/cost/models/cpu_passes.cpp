#include "core/cost/models/cpu_passes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/cost/models/models.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr double kPassBytes = 12;  // an operation reads two numbers and writes one

// The parameter that has the cycles of a kind: of a vector register of results, or of one result.
struct KindCost {
    const char* parameter;
    bool vectorised;
};

KindCost cost_of(PassKind kind) {
    switch (kind) {
        case PassKind::Simple:
            return {"simple_cycles", true};
        case PassKind::Divide:
            return {"divide_cycles", true};
        case PassKind::Exp:
            return {"exp_cycles", true};
        case PassKind::Log:
            return {"log_cycles", true};
        case PassKind::Tanh:
            return {"tanh_cycles", true};
        case PassKind::Erf:
            return {"erf_cycles", true};
        case PassKind::Slow:
            return {"slow_cycles", false};
        case PassKind::Fold:
            return {"fold_cycles", true};
        case PassKind::Copy:
            return {"copy_cycles", true};
        case PassKind::Transpose:
            return {"transpose_cycles", true};
        case PassKind::Opaque:
            return {"opaque_cycles", false};
    }
    throw InternalError("unknown kind of pass");
}

double& part_of(PassSeconds& seconds, PassKind kind) {
    switch (kind) {
        case PassKind::Simple:
        case PassKind::Divide:
        case PassKind::Fold:
        case PassKind::Opaque:
            return seconds.vector;
        case PassKind::Exp:
        case PassKind::Log:
        case PassKind::Tanh:
        case PassKind::Erf:
        case PassKind::Slow:
            return seconds.special;
        case PassKind::Copy:
        case PassKind::Transpose:
            return seconds.moves;
    }
    throw InternalError("unknown kind of pass");
}

// Numbers of 32 bits in a vector register.
double lanes(const Device& device) {
    return device.vector_bits.known() ? device.vector_bits.value / 32 : 8;
}

// Cycles per second of a core. Of a device that does not say, two multiply-adds a cycle.
double clock_of(const Device& device) {
    if (device.clock.known()) return device.clock.value;
    return processor_rate(device, Unit::Vector, ElemType::F32) / (4 * lanes(device));
}

double distance(const MatmulPoint& point, const MatrixWork& product) {
    return std::hypot(std::log2(static_cast<double>(product.rows) / point.rows),
                      std::log2(static_cast<double>(product.cols) / point.cols),
                      std::log2(static_cast<double>(product.depth) / point.depth));
}

// Between the measured shapes: their rates, those of the nearest most (weights 1/d^4 in logarithms of sides).
double measured_rate(const MatrixWork& product, const Device& device) {
    double sum = 0;
    double weights = 0;
    for (const MatmulPoint& point : device.matmul) {
        if (point.elem != product.elem) continue;
        const double d = distance(point, product);
        if (d < 1e-9) return point.rate.value;
        const double weight = 1 / (d * d * d * d);
        sum += weight * std::log(point.rate.value);
        weights += weight;
    }
    return weights > 0 ? std::exp(sum / weights) : 0;
}

}  // namespace

PassSeconds pass_seconds(const std::vector<PassWork>& passes, const Device& device, double bandwidth) {
    const double cycle = 1 / clock_of(device);
    PassSeconds seconds;
    for (const PassWork& pass : passes) {
        const KindCost cost = cost_of(pass.kind);
        const double steps = cost.vectorised ? pass.elements / lanes(device) : pass.elements;
        const double cycles = steps * blockscope_parameter(device, cost.parameter) +
                              pass.rows * blockscope_parameter(device, "row_cycles");
        const double transfer = bandwidth > 0 ? pass.bytes / bandwidth : 0;
        part_of(seconds, pass.kind) += std::max(cycles * cycle, transfer);
    }
    return seconds;
}

std::vector<PassWork> counted_passes(const KernelWork& kernel) {
    const double rows = kernel.calls.vector + kernel.calls.memory;
    return {{PassKind::Simple, rows, rows, kernel.vector, kPassBytes * kernel.vector},
            {PassKind::Exp, 0, 0, kernel.special, 0}};
}

double product_rate(const MatrixWork& product, const Device& device) {
    const double efficiency = blockscope_parameter(device, "matmul_efficiency");
    if (const double measured = measured_rate(product, device); measured > 0) return measured * efficiency;
    const double side = std::cbrt(static_cast<double>(product.rows) * static_cast<double>(product.cols) *
                                  static_cast<double>(product.depth));
    const double reached = side / (side + blockscope_parameter(device, "matmul_half"));
    return processor_rate(device, Unit::Matrix, product.elem) * efficiency * reached;
}

}  // namespace blockscope
