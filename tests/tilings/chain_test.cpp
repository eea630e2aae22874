// Which programs are chains, and what loops, statements and dependences they have.
#include <gmock/gmock.h>

#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// "C(mnk) reads A,B; E(mhn) reads C,D".
std::string described(const tilings::Chain& chain) {
    std::string text;
    for (const tilings::Product& product : chain.products) {
        text += (text.empty() ? "" : "; ") + product.name + "(";
        for (const int loop : {product.row, product.col, product.depth})
            text += chain.loops[static_cast<std::size_t>(loop)].name;
        text += product.softmax ? ") of a softmax reads" : ") reads";
        for (const int need : product.needs)
            text += " " + chain.products[static_cast<std::size_t>(need)].name;
        for (const int load : product.loads) text += " " + chain.inputs[static_cast<std::size_t>(load)].name;
    }
    text += "; " + chain.output.name + " is made of";
    for (const int need : chain.output.needs)
        text += " " + chain.products[static_cast<std::size_t>(need)].name;
    return text;
}

TEST(TilingChains, AreReadFromPrograms) {
    const std::pair<std::string, std::string> cases[] = {
        {two_products(64, 64, 64, 64), "C(mnk) reads A B; E(mhn) reads C D; E is made of E"},
        {kThreeProducts, "C(mnk) reads A B; E(mhn) reads C D; G(mph) reads E F; G is made of G"},
        {kGated, "T1(mnk) reads A B; C(mnk) reads A B2; E(mhn) reads T1 C b D; E is made of E"},
        {kLora, "T1(mnk) reads X W; T2(mrk) reads X A; Y(mnr) reads T2 B; Y is made of T1 Y"},
        {kCausal, "S(mnk) reads Q Keys; O(mhn) of a softmax reads S V; O is made of O"},
        // Two loops of one dimension: the first product sums over d, the second one's columns are d2.
        {"dim M = 32\ndim D = 32\ndim F = 32\ninput X[M,D], W[D,F], U[F,D]\noutput Y = relu(X @ W) @ U\n",
         "T1(mfd) reads X W; Y(md2f) reads T1 U; Y is made of Y"},
        // The rows of X are two loops where it is both operands.
        {"dim M = 32\ndim D = 32\ninput X[M,D], V[M,D]\noutput Y = softmax(X @ X.T) @ V\n",
         "T1(mm2d) reads X X; Y(md2m2) of a softmax reads T1 V; Y is made of Y"},
        {"dim M = 32\ndim K = 32\ndim N = 32\ndim H = 32\ninput A[M,K], B[K,N], D[N,H]\nC = B @ D\n"
         "output G = A @ relu(C)\n",
         "C(khn) reads B D; G(mhk) reads C A; G is made of G"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(described(chain_of(text)), expected) << text;
}

TEST(TilingChains, HaveTheBatchAndTheTypeOfTheProgram) {
    EXPECT_EQ(workload_chain("S3").batch, 16);
    EXPECT_EQ(workload_chain("G1").batch, 1);
    EXPECT_EQ(workload_chain("G1").elem, ElemType::F16);
    EXPECT_EQ(chain_of(kCausal).elem, ElemType::F32);
}

TEST(TilingChains, OtherProgramsAreRefusedWithASentence) {
    const std::string dims = "dim M = 32\ndim N = 32\ndim K = 32\ninput A[M,K], B[K,N]\n";
    const std::pair<std::string, std::string> cases[] = {
        {"dim M = 32\ninput A[M,M]\noutput B = exp(A)\n", "there is no matrix product"},
        {dims + "output C = A @ B\noutput D = exp(C)\n", "has one output; this program has 2"},
        {dims + "output C = rmsnorm(A) @ B\n", "no rmsnorm"},
        {dims + "output C = softmax(A @ B)\n", "is the left operand of a product"},
        {dims + "output C = softmax(A) @ B\n", "of a product's result, not of an input"},
        {dims + "C = A @ B\noutput D = row_sum(C)\n", "the output of a chain is a matrix"},
        {dims + "C = custom(\"f\", A)\noutput D = C @ B\n", "between them, no custom"},
        {"dim M = 32\ninput A[M,M]\nB = A @ A\nC = B @ A\nD = C @ A\nE = D @ A\noutput F = E @ A\n",
         "has 5 matrix products; tilings are enumerated for at most 4"},
        // The residual connection makes the columns of the result those that the first product sums over.
        {"dim M = 32\ndim D = 32\ndim F = 32\ninput X[M,D], W[D,F], U[F,D]\nH = X @ W\nY = H @ U\n"
         "output Z = Y @ W * H\n",
         "the product"},
    };
    for (const auto& [text, expected] : cases) {
        const Result<tilings::Chain> chain = tilings::read_chain(program_of(text));
        if (chain) {
            ADD_FAILURE() << "read: " << text;
            continue;
        }
        EXPECT_THAT(to_string(chain.problems().front()), HasSubstr(expected)) << text;
    }
}

TEST(TilingChains, WorkloadsAreThePapersTables) {
    EXPECT_EQ(tilings::workloads().size(), 21u);
    for (const tilings::Workload& row : tilings::workloads()) {
        const tilings::Chain chain = workload_chain(row.name);
        EXPECT_EQ(chain.batch, row.batch) << row.name;
        EXPECT_THAT(chain.loops, testing::SizeIs(4));
        const int sizes[] = {row.m, row.n, row.k, row.h};
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(chain.loops[i].size, sizes[i]) << row.name;
    }
    EXPECT_EQ(tilings::find_workload("s6")->k, 80);
    EXPECT_EQ(tilings::find_workload("G13"), nullptr);
}

}  // namespace
}  // namespace blockscope::test
