// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's files of one array (.npy, https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) as tensors:
// row major, little endian. What NumPy has no type for lies in the next larger one: i4 in int8, i48 in int64, bf16 and
// the fp8 types as raw bytes, as ml_dtypes writes them.
#ifndef TOSAIC_MODEL_NPY_H_
#define TOSAIC_MODEL_NPY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/tensor.h"

namespace tosaic {

// The array in the bytes of a file, as a tensor of this element type. Errors: it is no such file, or its elements are
// of another type.
absl::StatusOr<Tensor> TensorFromNpy(absl::string_view bytes, ElementType type);

std::string ToNpy(const Tensor& tensor);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_NPY_H_
