// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes NumPy's array files (.npy, https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html):
// row major, little endian. Types that NumPy lacks are stored in the next larger one (i4 in int8, i48 in int64); bf16
// and the fp8 types are raw bytes, as ml_dtypes writes them.
#ifndef TOSAIC_MODEL_NPY_H_
#define TOSAIC_MODEL_NPY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/tensor.h"

namespace tosaic {

// The array in a file's bytes, as a tensor of this element type. Errors: it is not an array file, or its elements are
// of another type.
absl::StatusOr<Tensor> TensorFromNpy(absl::string_view bytes, ElementType type);

std::string ToNpy(const Tensor& tensor);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_NPY_H_
