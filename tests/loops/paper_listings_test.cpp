// The algorithm's results print as the paper's final listings do, line by line.
#include <gtest/gtest.h>

#include "core/fusion/trace.h"
#include "core/print/print.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "tests/support/paper_examples.h"

namespace blockscope::test {
namespace {

TEST(PaperListings, Attention) {
    EXPECT_EQ(listing(*fused_trace(paper_attention()).last(), Form{}.as_in_paper()), R"(forall m in range(M):
  forall l in range(L):
    for n in range(N):
      for d in range(D):
        t1 = load(Q[m,d])
        t2 = load(K[n,d])
        t3 += dot(t1,t2)
      t4 = exp(t3*(DD**-0.5))
      t5 += row_sum(t4)
      t6 = load(VT[l,n])
      t7 += dot(t4,t6)
    t8 = 1/t5
    t9 = row_scale(t7,t8)
    store(t9,O[m,l])
)");
}

TEST(PaperListings, LayerNormAndMatmul) {
    EXPECT_EQ(listing(*fused_trace(paper_layernorm_matmul()).last(), Form{}.as_in_paper()),
              R"(forall m in range(M):
  forall n in range(N):
    for k in range(K):
      t1 = load(X[m,k])
      t2 += row_sum(t1)
      t3 = t1**2
      t4 += row_sum(t3)
      t5 = load(YT[n,k])
      t6 += row_sum(t5)
      t7 += dot(t1,t5)
    t8 = -t2/KK
    t9 = (t4/KK-t8**2)**(-0.5)
    t10 = outer(t8,t6)
    t11 = add(t10,t7)
    t12 = row_scale(t11,t9)
    store(t12,Z[m,n])
)");
}

TEST(PaperListings, RmsNormAndSwiGlu) {
    EXPECT_EQ(listing(*fused_trace(paper_rmsnorm_swiglu()).last(), Form{}.as_in_paper()),
              R"(forall m in range(M):
  forall n in range(N):
    for k in range(K):
      for d in range(D):
        t1 = load(X[m,d])
        t2 = t1**2
        t3 += row_sum(t2)
        t4 = load(WT[k,d])
        t5 += dot(t1,t4)
        t6 = load(VT[k,d])
        t7 += dot(t1,t6)
      t8 = 1/sqrt(t3)
      t9 = row_scale(t5,t8)
      t10 = t9/(1+exp(-t9))
      t11 = row_scale(t7,t8)
      t12 = mul(t10,t11)
      t13 = load(UT[n,k])
      t14 += dot(t12,t13)
    store(t14,O[m,n])
)");
}

// Attention after step 6, with the paper's dropped indices and its range(D) for range(N) put right.
TEST(PaperListings, AttentionAfterFusingTheMMaps) {
    EXPECT_EQ(listing(*fused_trace(paper_attention()).state(6), Form{}.as_in_paper()),
              R"(forall m in range(M):
  forall n in range(N):
    forall d in range(D):
      t1 = load(Q[m,d])
      t2 = load(K[n,d])
      t3 = dot(t1,t2)
      store(t3,I1[m,n,d])
    for d in range(D):
      t4 = load(I1[m,n,d])
      t5 += t4
    store(t5,I2[m,n])
  forall n in range(N):
    t6 = load(I2[m,n])
    t7 = t6*(DD**-0.5)
    store(t7,I3[m,n])
  forall n in range(N):
    t8 = load(I3[m,n])
    t9 = exp(t8)
    store(t9,I4[m,n])
  forall n in range(N):
    t10 = load(I4[m,n])
    t11 = row_sum(t10)
    store(t11,I5[m,n])
  for n in range(N):
    t12 = load(I5[m,n])
    t13 += t12
  t14 = 1/t13
  forall n in range(N):
    t15 = load(I4[m,n])
    t16 = row_scale(t15,t14)
    store(t16,I6[m,n])
  forall l in range(L):
    forall n in range(N):
      t17 = load(I6[m,n])
      t18 = load(VT[l,n])
      t19 = dot(t17,t18)
      store(t19,I7[m,l,n])
    for n in range(N):
      t20 = load(I7[m,l,n])
      t21 += t20
    store(t21,O[m,l])
)");
}

}  // namespace
}  // namespace blockscope::test
