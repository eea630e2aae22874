// How blocks lie in registers without tensor cores, for any card: THREADS threads in rows of 16 lanes.
// A block's element (row, col) lies in the thread of row % (THREADS / 16) and lane col % 16, in registers.
#pragma once

constexpr int kLanes = 16;
constexpr int kBands = THREADS / kLanes;

DEVICE int my_lane() { return thread_index() % kLanes; }
DEVICE int my_band() { return thread_index() / kLanes; }

template <int R, int C>
struct Block {
    static constexpr int kRows = R, kCols = C;
    static constexpr int kI = (R + kBands - 1) / kBands, kJ = (C + kLanes - 1) / kLanes;
    static constexpr int kAllRows = kI * kBands, kAllCols = kJ * kLanes;  // with padding
    float v[kI][kJ];
    int rows, cols;  // of these are there; what lies outside is undefined

    // Numbers at j and j + kJ / 2 are half a row apart: no lane has to ask another one for them.
    static constexpr bool kHalvesMeet = C == kAllCols && kJ % 2 == 0;

    static DEVICE int row(int i) { return my_band() + kBands * i; }
    static DEVICE int col(int j) { return col_of(my_lane(), j); }
    static DEVICE int col_of(int lane, int j) { return lane + kLanes * j; }
    // The other number of the pair of neighbours that this one belongs to.
    DEVICE float neighbour(int i, int j) const { return shuffle_xor(v[i][j], 1); }
};

// A vector along the rows of blocks: every lane of a row has the row's number.
template <int R>
struct Rows {
    static constexpr int kI = (R + kBands - 1) / kBands;
    float v[kI];
    int rows;
    static DEVICE int row(int i) { return my_band() + kBands * i; }
};

// A vector along the columns of blocks: every row of threads has all of it.
template <int C>
struct Cols {
    static constexpr int kJ = (C + kLanes - 1) / kLanes;
    float v[kJ];
    int cols;
    static DEVICE int col(int j) { return my_lane() + kLanes * j; }
};
