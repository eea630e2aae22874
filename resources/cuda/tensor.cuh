// How blocks lie in registers with tensor cores (sm_80 and later): as the accumulators of mma.sync, four warps of which
// are one of wgmma. Warps take turns at strips of 16 rows; in a strip a thread holds two neighbours of every eight
// columns, in the rows lane / 4 and lane / 4 + 8. The four lanes of a row are neighbours.
#pragma once

constexpr int kLanes = 4;
constexpr int kWarps = THREADS / 32;

DEVICE int my_lane() { return thread_index() % kLanes; }
DEVICE int my_band() { return thread_index() / kLanes; }
DEVICE int my_warp() { return thread_index() / 32; }
DEVICE int my_place() { return thread_index() % 32; }  // in the warp

// The row of the present thread's number `i`.
DEVICE int strip_row(int i) { return (i / 2 * kWarps + my_warp()) * 16 + i % 2 * 8 + my_place() / 4; }
DEVICE int pair_col(int j) { return j / 2 * 8 + my_lane() * 2 + j % 2; }

template <int R, int C>
struct Block {
    static constexpr int kRows = R, kCols = C;
    static constexpr int kStrips = (R + 16 * kWarps - 1) / (16 * kWarps);
    static constexpr int kI = 2 * kStrips, kJ = 2 * ((C + 7) / 8);
    static constexpr int kAllRows = kStrips * 16 * kWarps, kAllCols = kJ * kLanes;  // with padding
    float v[kI][kJ];
    int rows, cols;  // of these are there; what lies outside is undefined

    // Numbers at j and j + kJ / 2 are half a row apart: no lane has to ask another one for them.
    static constexpr bool kHalvesMeet = C == kAllCols && kJ % 4 == 0;

    static DEVICE int row(int i) { return strip_row(i); }
    static DEVICE int col(int j) { return pair_col(j); }
    static DEVICE int col_of(int lane, int j) { return j / 2 * 8 + lane * 2 + j % 2; }
    // The other number of the pair of neighbours that this one belongs to.
    DEVICE float neighbour(int i, int j) const { return v[i][j ^ 1]; }
};

// A vector along the rows of blocks: every lane of a row has the row's number.
template <int R>
struct Rows {
    static constexpr int kStrips = (R + 16 * kWarps - 1) / (16 * kWarps);
    static constexpr int kI = 2 * kStrips;
    float v[kI];
    int rows;
    static DEVICE int row(int i) { return strip_row(i); }
};

// A vector along the columns of blocks: every row of threads has all of it.
template <int C>
struct Cols {
    static constexpr int kJ = 2 * ((C + 7) / 8);
    float v[kJ];
    int cols;
    static DEVICE int col(int j) { return pair_col(j); }
};
