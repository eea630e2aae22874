// The reader executes what the grammar allows, right, and refuses everything else.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/listing_reader.h"

namespace blockscope::reader {
namespace {

constexpr DimId kM{0};
constexpr DimId kK{1};

// X[M,K], W[K,M], S (a scalar) and Y[M,K]; M has 2 blocks of 2 and 1, K has 3 of 2, 2 and 1.
Signature signature() {
    Signature s;
    s.dims = {{"M", 3, 2, DimKind::Blocked}, {"K", 5, 2, DimKind::Blocked}};
    s.inputs["X"] = {{kM, kK}, Item::block(kM, kK)};
    s.inputs["W"] = {{kK, kM}, Item::block(kK, kM)};
    s.inputs["S"] = {{}, Item::scalar()};
    s.outputs["Y"] = {{kM}, Item::vector(kM)};
    return s;
}

Tensors<double> inputs() {
    Tensors<double> arrays;
    arrays["X"].shape = {3, 5};
    arrays["W"].shape = {5, 3};
    for (int i = 0; i < 15; ++i) {
        arrays["X"].data.push_back(i + 1);
        arrays["W"].data.push_back(10 * i);
    }
    arrays["S"] = {{}, {0.5}};
    return arrays;
}

std::vector<double> run(const std::string& text, ForallOrder order = ForallOrder::Forward) {
    return run_listing(text, signature(), inputs(), order).at("Y").data;
}

std::string error(const std::string& text, ForallOrder order = ForallOrder::Forward) {
    try {
        run(text, order);
    } catch (const ListingError& failure) {
        return failure.what();
    }
    return "no error";
}

const std::string kRowSums = R"(forall m in range(M):
  for k in range(K):
    t1 = load(X[m,k])
    t2 += row_sum(t1)
  store(t2,Y[m])
)";

TEST(ListingReader, SumsRowsOfRaggedBlocks) {
    EXPECT_THAT(run(kRowSums), testing::ElementsAre(15, 40, 65));
    EXPECT_THAT(run(kRowSums, ForallOrder::Backward), testing::ElementsAre(15, 40, 65));
}

TEST(ListingReader, ReadsTransposedBlocks) {
    // row i of X times column i of W, summed: sum over k of X[i,k] * W[k,i]
    EXPECT_THAT(run(R"(forall m in range(M):
  for k in range(K):
    t1 = load(X[m,k])
    t2 = load(WT[m,k])
    t3 = mul(t1,t2)
    t4 += row_sum(t3)
  store(t4,Y[m])
)"),
                testing::ElementsAre(1 * 0 + 2 * 30 + 3 * 60 + 4 * 90 + 5 * 120,
                                     6 * 10 + 7 * 40 + 8 * 70 + 9 * 100 + 10 * 130,
                                     11 * 20 + 12 * 50 + 13 * 80 + 14 * 110 + 15 * 140));
}

TEST(ListingReader, ArithmeticHasPythonsPrecedence) {
    const auto value = [](const std::string& formula) {
        return run(
            "t1 = load(S)\nt2 = " + formula +
            "\nforall m in range(M):\n  for k in range(K):\n    t3 = load(X[m,k])\n    t4 += row_sum(t3)\n"
            "  t5 = t4*0+t2\n  store(t5,Y[m])\n")[0];
    };
    EXPECT_DOUBLE_EQ(value("-t1**2"), -0.25);
    EXPECT_DOUBLE_EQ(value("t1**-2"), 4);
    EXPECT_DOUBLE_EQ(value("2**t1**2"), std::pow(2, 0.25));
    EXPECT_DOUBLE_EQ(value("1-t1-t1"), 0);
    EXPECT_DOUBLE_EQ(value("1/t1/t1"), 4);
    EXPECT_DOUBLE_EQ(value("1/(t1/t1)"), 1);
    EXPECT_DOUBLE_EQ(value("2*(t1+1)"), 3);
    EXPECT_DOUBLE_EQ(value("KK*t1-MM"), -0.5);
    EXPECT_DOUBLE_EQ(value("max(t1,-inf)+min(t1,1e-2)"), 0.51);
    EXPECT_DOUBLE_EQ(value("(-t1)**2"), 0.25);
}

TEST(ListingReader, AccumulatorsAreZeroOnEntryToTheirLoop) {
    EXPECT_THAT(run(R"(forall m in range(M):
  t1 = 0
  for k in range(K):
    for k2 in range(K):
      t2 = load(X[m,k2])
      t3 += row_sum(t2)
    t4 = t1+t3
    t1 = t4
  store(t1,Y[m])
)"),
                testing::ElementsAre(45, 120, 195));
}

TEST(ListingReader, PeeledLoopsStartAtOne) {
    EXPECT_THAT(run(R"(forall m in range(M):
  t1 = load(X[m,0])
  t2 = row_sum(t1)
  t3 = t2
  for k in range(1,K):
    t4 = load(X[m,k])
    t5 = row_sum(t4)
    t3 = t3+t5
  store(t3,Y[m])
)"),
                testing::ElementsAre(15, 40, 65));
}

struct Refused {
    std::string what;  // of the error
    std::string text;
};

class ListingReaderRefuses : public testing::TestWithParam<Refused> {};

TEST_P(ListingReaderRefuses, With) {
    EXPECT_THAT(error(GetParam().text), testing::HasSubstr(GetParam().what));
}

std::string in_loops(const std::string& lines) {
    return "forall m in range(M):\n  for k in range(K):\n" + lines;
}

INSTANTIATE_TEST_SUITE_P(
    Text, ListingReaderRefuses,
    testing::Values(
        Refused{"line 2: the indent is odd", "forall m in range(M):\n   t1 = load(S)\n"},
        Refused{"line 2: the indent is too deep", "t1 = load(S)\n  t2 = load(S)\n"},
        Refused{"line 2: the indent is too deep", "forall m in range(M):\n    t1 = load(S)\n"},
        Refused{"line 1: the loop has no body", "forall m in range(M):\nt1 = load(S)\n"},
        Refused{"line 2: the line is empty", "t1 = load(S)\n\nt2 = load(S)\n"},
        Refused{"expected ' in range('", "forall m in M:\n  t1 = load(S)\n"},
        Refused{"expected a dimension", "forall z in range(Z):\n  t1 = load(S)\n"},
        Refused{"expected a name", "forall m in range(2,M):\n  t1 = load(S)\n"},
        Refused{"is not named after", "forall k in range(M):\n  t1 = load(S)\n"},
        Refused{"is not named after", "forall m in range(M):\n  forall k2 in range(K):\n    t1 = load(S)\n"},
        Refused{"is in use", "forall m in range(M):\n  forall m in range(M):\n    t1 = load(S)\n"},
        Refused{"expected the end of the line", "t1 = load(S) \n"},
        Refused{"expected a name", in_loops("    t1 = load(X[m, k])\n")},
        Refused{"expected a known function", "t1 = load(S)\nt2 = sinh(t1)\n"},
        Refused{"expected a known function", "t1 = load(S)\nt2 = exp(row_sum(t1))\n"},
        Refused{"expected ')'", "t1 = load(S)\nt2 = row_sum(t1**2)\n"},
        Refused{"expected a temporary", "t1 = load(S)\nt2 = t1+S\n"},
        Refused{"expected a temporary", "t1 = load(S)\nt2 = t1*M\n"},
        Refused{"there is no operator sort", "I1 = sort(X)\n"}));

INSTANTIATE_TEST_SUITE_P(
    Memory, ListingReaderRefuses,
    testing::Values(Refused{"there is no array Z", "t1 = load(Z)\n"},
                    Refused{"there is no array I1", in_loops("    t1 = load(I1[m,k])\n")},
                    Refused{"is not stored yet",
                            "forall m in range(M):\n  t1 = load(S)\n  store(t1,I1[m])\nforall k in "
                            "range(K):\n  t2 = load(I1[0])\n"
                            "forall m in range(1,M):\n  t3 = load(S)\n  store(t3,I2[m])\nt4 = load(I2[0])\n"},
                    Refused{"X is an input", in_loops("    t1 = load(X[m,k])\n    store(t1,X[m,k])\n")},
                    Refused{"is stored twice", in_loops("    t1 = load(S)\n    store(t1,I1[m])\n")},
                    Refused{"not all of Y is stored", "t1 = load(S)\n"},
                    Refused{"a wrong number of indices", in_loops("    t1 = load(X[m])\n")},
                    Refused{"is of another dimension", in_loops("    t1 = load(X[k,m])\n")},
                    Refused{"is of another dimension", in_loops("    t1 = load(XT[m,k])\n")},
                    Refused{"there is no loop variable k", "forall m in range(M):\n  t1 = load(X[m,k])\n"},
                    Refused{"where a vector[2] belongs",
                            in_loops("    t1 = load(X[m,k])\n    store(t1,Y[m])\n")}));

INSTANTIATE_TEST_SUITE_P(
    Temporaries, ListingReaderRefuses,
    testing::Values(Refused{"t1 is not set here", "t2 = exp(t1)\n"},
                    Refused{"t1 is not set here", "forall m in range(M):\n  t1 = load(S)\nt2 = exp(t1)\n"},
                    Refused{"t2 is not set here", in_loops("    t1 = exp(t2)\n    t2 = load(S)\n")},
                    Refused{"t1 is not set here", in_loops("    t1 = t1+1\n")},
                    Refused{"set t1 of outside", "t1 = 0\nforall m in range(M):\n  t1 = load(S)\n"},
                    Refused{"add to the same temporary",
                            "forall m in range(M):\n  t1 = load(S)\n  t2 += t1\n"},
                    Refused{"+= outside of all loops", "t1 = load(S)\nt2 = 0\nt2 += t1\n"},
                    Refused{"cannot be added to", in_loops("    t1 = load(X[m,k])\n    t2 += t1\n")}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, ListingReaderRefuses,
    testing::Values(
        Refused{"dot does not take block[2,2] block[2,1]",
                in_loops("    t1 = load(X[m,0])\n    t2 = load(X[0,k])\n    t3 = dot(t1,t2)\n")},
        Refused{"add does not take block[2,2] vector[2]",
                in_loops("    t1 = load(X[m,k])\n    t2 = row_sum(t1)\n    t3 = add(t1,t2)\n")},
        Refused{"row_sum does not take scalar", "t1 = load(S)\nt2 = row_sum(t1)\n"},
        Refused{"row_sum does not take number", "t1 = 0\nt2 = row_sum(t1)\n"},
        Refused{"outer does not take", in_loops("    t1 = load(X[m,k])\n    t2 = outer(t1,t1)\n")},
        Refused{"row_scale does not take", in_loops("    t1 = load(X[m,k])\n    t2 = row_scale(t1,t1)\n")},
        Refused{"block_max does not take", "t1 = load(S)\nt2 = block_max(t1)\n"},
        Refused{"+ does not take",
                in_loops("    t1 = load(X[m,k])\n    t2 = load(X[0,0])\n    t3 = t1+t2\n")}));

TEST(ListingReader, IterationsOfAForallMayNotUseEachOther) {
    const std::string text = R"(t1 = load(S)
store(t1,I1[0])
forall m in range(1,M):
  t2 = load(S)
  store(t2,I1[m])
forall m in range(M):
  t3 = load(I1[m])
  store(t3,I2[m])
  t4 = load(I2[0])
  t5 = t3+t4
  store(t5,I3[m])
)";
    EXPECT_THAT(error(text), testing::HasSubstr("not all of Y"));
    EXPECT_THAT(error(text, ForallOrder::Backward),
                testing::HasSubstr("this element of I2 is not stored yet"));
}

}  // namespace
}  // namespace blockscope::reader
