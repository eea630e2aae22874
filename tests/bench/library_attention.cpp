#include "tests/bench/library_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/engine/simd.h"

#ifdef BLOCKSCOPE_OPENBLAS
#include <cblas.h>
#endif
#ifdef BLOCKSCOPE_ONEDNN
#include <dnnl.hpp>
#endif

namespace blockscope::bench {

struct LibraryAttention::State {
    int length;
    int head;
    std::vector<float> q, k, v, scores, out, sums;
#ifdef BLOCKSCOPE_ONEDNN
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    dnnl::primitive first, softmax, second;
    dnnl::memory q_memory, k_memory, v_memory, scores_memory, out_memory;
#endif
};

LibraryAttention::LibraryAttention(const Tensors<double>& inputs) : state_(std::make_unique<State>()) {
    State& s = *state_;
    const auto floats = [&](const char* name) {
        const std::vector<double>& values = inputs.at(name).data;
        return std::vector<float>(values.begin(), values.end());
    };
    const auto length = static_cast<int>(inputs.at("Q").shape.at(0));
    const auto head = static_cast<int>(inputs.at("Q").shape.at(1));
    s.length = length;
    s.head = head;
    const std::size_t small = static_cast<std::size_t>(length) * static_cast<std::size_t>(head);
    const std::size_t large = static_cast<std::size_t>(length) * static_cast<std::size_t>(length);
    s.q = floats("Q");
    s.k = floats("K");
    s.v = floats("V");
    s.out.assign(small, 0);
    s.scores.assign(large, 0);
    s.sums.assign(static_cast<std::size_t>(length), 0);
#ifdef BLOCKSCOPE_OPENBLAS
    openblas_set_num_threads(1);
#endif
#ifdef BLOCKSCOPE_ONEDNN
    using dnnl::memory;
    const auto f32 = memory::data_type::f32;
    const memory::desc q({length, head}, f32, memory::format_tag::ab);
    const memory::desc k({head, length}, f32, memory::format_tag::ba);  // K transposed
    const memory::desc v({length, head}, f32, memory::format_tag::ab);
    const memory::desc scores({length, length}, f32, memory::format_tag::ab);
    dnnl::primitive_attr scaled;
    scaled.set_output_scales(0, {1 / std::sqrt(static_cast<float>(head))});
    s.first = dnnl::matmul({{q, k, scores}, scaled, s.engine});
    s.softmax = dnnl::softmax_forward({{dnnl::prop_kind::forward_inference, scores, 1}, s.engine});
    s.second = dnnl::matmul({{scores, v, q}, s.engine});
    s.q_memory = memory(q, s.engine, s.q.data());
    s.k_memory = memory(k, s.engine, s.k.data());
    s.v_memory = memory(v, s.engine, s.v.data());
    s.scores_memory = memory(scores, s.engine, s.scores.data());
    s.out_memory = memory(q, s.engine, s.out.data());
#endif
}

LibraryAttention::~LibraryAttention() = default;

Tensors<double> LibraryAttention::output() const {
    const State& s = *state_;
    return {{"O", {{s.length, s.head}, std::vector<double>(s.out.begin(), s.out.end())}}};
}

void LibraryAttention::forget_output() {
    std::fill(state_->out.begin(), state_->out.end(), std::numeric_limits<float>::quiet_NaN());
}

bool LibraryAttention::has_blas() {
#ifdef BLOCKSCOPE_OPENBLAS
    return true;
#else
    return false;
#endif
}

bool LibraryAttention::has_onednn() {
#ifdef BLOCKSCOPE_ONEDNN
    return true;
#else
    return false;
#endif
}

#ifdef BLOCKSCOPE_OPENBLAS
namespace {

void softmax_row(float* row, int n) {
    using namespace engine;
    const SimdTable& k = simd();
    const auto binary = [&](Op op, const float* number) {
        k.binary[static_cast<int>(op)][0][1]({row, n, 1, n}, {row, n, false}, {number, 0, true});
    };
    float number = 0;
    k.row_fold[static_cast<int>(Fn::Max)](&number, row, n, 1, n, false);
    binary(op_of(Fn::Sub), &number);
    k.unary[static_cast<int>(op_of(Fn::Exp))]({row, n, 1, n}, {row, n, false});
    k.row_fold[static_cast<int>(Fn::Add)](&number, row, n, 1, n, false);
    number = 1 / number;
    binary(op_of(Fn::Mul), &number);
}

}  // namespace
#endif

void LibraryAttention::run_blas() {
#ifdef BLOCKSCOPE_OPENBLAS
    State& s = *state_;
    const int n = s.length;
    const float scale = 1 / std::sqrt(static_cast<float>(s.head));
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, s.head, scale, s.q.data(), s.head, s.k.data(),
                s.head, 0, s.scores.data(), n);
    for (int row = 0; row < n; ++row)
        softmax_row(s.scores.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(n), n);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, s.head, n, 1, s.scores.data(), n, s.v.data(),
                s.head, 0, s.out.data(), s.head);
#endif
}

void LibraryAttention::run_onednn() {
#ifdef BLOCKSCOPE_ONEDNN
    State& s = *state_;
    s.first.execute(
        s.stream,
        {{DNNL_ARG_SRC, s.q_memory}, {DNNL_ARG_WEIGHTS, s.k_memory}, {DNNL_ARG_DST, s.scores_memory}});
    s.softmax.execute(s.stream, {{DNNL_ARG_SRC, s.scores_memory}, {DNNL_ARG_DST, s.scores_memory}});
    s.second.execute(
        s.stream,
        {{DNNL_ARG_SRC, s.scores_memory}, {DNNL_ARG_WEIGHTS, s.v_memory}, {DNNL_ARG_DST, s.out_memory}});
    s.stream.wait();
#endif
}

}  // namespace blockscope::bench
