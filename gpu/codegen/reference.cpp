// The kernels on the host, in double precision.
#include "gpu/codegen/kernel_set.h"
#include "gpu/codegen/library.h"

namespace blockscope::gpu {

namespace {

// What base.cuh takes from a device, for one thread of the host.
constexpr const char* kHost = R"cpp(
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

    namespace reference {
#undef KERNEL
#undef DEVICE
#undef UNROLL
#undef INFINITY_F
#undef BLOCKSCOPE_NUMBER
#define BLOCKSCOPE_EMULATED
#define BLOCKSCOPE_NUMBER double
#define KERNEL static void
#define DEVICE inline
#define UNROLL
#define INFINITY_F ((float)INFINITY)

    static long long tile = 0;
    inline int thread_index() {
        return 0;
    }
    inline long long tile_index() {
        return tile;
    }
    inline void sync() {}
    inline float bits_to_float(unsigned int bits) {
        float x;
        std::memcpy(&x, &bits, 4);
        return x;
    }
    inline unsigned int float_to_bits(float x) {
        unsigned int bits;
        std::memcpy(&bits, &x, 4);
        return bits;
    }
    template <class T>
    inline T global_read(const T* from) {
        return *from;
    }
    template <class T>
    inline void global_write(T* to, T x) {
        *to = x;
    }
    inline void global_add(float* to, float x) {
        *to += x;
    }
    inline float exp2_fast(float x) {
        return std::exp2(x);
    }
    inline float reciprocal_fast(float x) {
        return 1 / x;
    }
    inline float sqrt_fast(float x) {
        return std::sqrt(x);
    }
    inline float half_to_float(unsigned short bits) {
        const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
        float x = exponent == 0 ? std::ldexp((float)mantissa, -24)
                                : std::ldexp((float)(mantissa + 1024), exponent - 25);
        if (exponent == 31) x = mantissa == 0 ? INFINITY : NAN;
        return bits >> 15 ? -x : x;
    }
    // Rounded to nearest even: the host's rounding of a whole number of the type's steps.
    inline unsigned short float_to_half(float x) {
        const unsigned int sign = float_to_bits(x) >> 16 & 0x8000u;
        const float magnitude = std::fabs(x);
        if (magnitude == 0) return (unsigned short)sign;
        if (!(magnitude < 65520.0f)) return (unsigned short)(sign | (magnitude == magnitude ? 0x7c00u : 0x7e00u));
        int exponent = 0;
        std::frexp(magnitude, &exponent);
        if (exponent < -13) exponent = -13;
        const int steps = (int)std::nearbyint(std::ldexp(magnitude, 11 - exponent));
        return (unsigned short)(sign | (unsigned int)(((exponent + 13) << 10) + steps));
    }

    // Scalar functions of doubles, by the names that the kernels call them.
    inline double square(double x) {
        return x * x;
    }
    inline double exponential(double x) {
        return std::exp(x);
    }
    inline double rescaling(double x, double most) {
        return x == most ? 1 : std::exp(x - most);
    }
    template <class A, class B>
    inline double quotient(A x, B y) {
        return (double)x / (double)y;
    }
    inline double square_root(double x) {
        return std::sqrt(x);
    }
    inline double rsqrtf(double x) {
        return 1 / std::sqrt(x);
    }
    inline double logf(double x) {
        return std::log(x);
    }
    inline double tanhf(double x) {
        return std::tanh(x);
    }
    inline double erff(double x) {
        return std::erf(x);
    }
    inline double fabsf(double x) {
        return std::fabs(x);
    }
    inline double sinf(double x) {
        return std::sin(x);
    }
    inline double cosf(double x) {
        return std::cos(x);
    }
    inline double floorf(double x) {
        return std::floor(x);
    }
    inline double expf(double x) {
        return std::exp(x);
    }
    inline double powf(double x, double y) {
        return std::pow(x, y);
    }
    inline double fmaxf(double x, double y) {
        return std::fmax(x, y);
    }
    inline double fminf(double x, double y) {
        return std::fmin(x, y);
    }
)cpp";

// Arguments are cast to what the kernel takes them for.
constexpr const char* kCall = R"cpp(
    template <class... A, std::size_t... I>
    void call(void (*kernel)(A...), void** arguments, std::index_sequence<I...>) {
        kernel(static_cast<A>(arguments[I])...);
    }
    template <class... A>
    void call(void (*kernel)(A...), void** arguments) {
        call(kernel, arguments, std::index_sequence_for<A...>());
    }
)cpp";

}  // namespace

std::string reference(const KernelSet& set) {
    std::string text =
        kHost + without_pragma_once(kBaseLibrary) + "\n" + without_pragma_once(kReference) + kCall;
    for (const SourceLine& line : set.reference_lines) text += line.text + "\n";
    for (const Launch& launch : set.reference_launches) {
        text +=
            "inline void run_" + launch.kernel + "(long long which, void** arrays) {\n    tile = which;\n";
        text += "    void* given[] = {";
        for (const int array : launch.arrays) text += "arrays[" + std::to_string(array) + "], ";
        text += "nullptr};\n    call(" + launch.kernel + ", given);\n}\n";
    }
    return text + "}  // namespace reference\n";
}

}  // namespace blockscope::gpu
