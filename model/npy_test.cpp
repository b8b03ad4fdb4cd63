// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/npy.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

std::string File(const std::string& header, const std::string& elements) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += {static_cast<char>(header.size()), '\0'};
  return bytes + header + elements;
}

std::string Float32(const std::string& order, const std::string& shape) {
  return absl::StrCat("{'descr': '<f4', 'fortran_order': ", order, ", 'shape': ", shape, ", }\n");
}

TEST(Npy, ComesBackAsItWasWritten) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    for (const std::vector<int64_t>& sizes : std::vector<std::vector<int64_t>>{{}, {0}, {3}, {2, 1, 2}}) {
      Tensor tensor(info.type, sizes);
      for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, (0x3a5 * (i + 1)) & BitMask(info.type));
      const std::string bytes = ToNpy(tensor);
      EXPECT_EQ((bytes.size() - tensor.bytes().size()) % 64, 0u);
      const absl::StatusOr<Tensor> read = TensorFromNpy(bytes, info.type);
      ASSERT_TRUE(read.ok()) << info.name << ": " << read.status();
      EXPECT_EQ(*read, tensor) << info.name;
    }
  }
}

// A narrow integer is a number of NumPy's type that is as wide as its storage.
TEST(Npy, NarrowIntegersAreNumbers) {
  Tensor nibbles(ElementType::kI4, {3}), wide(ElementType::kI48, {2});
  nibbles.SetBits(0, 7), nibbles.SetBits(1, 8), nibbles.SetBits(2, 0xf);
  wide.SetBits(0, 0x7fff'ffff'ffff), wide.SetBits(1, 0x8000'0000'0000);
  EXPECT_TRUE(absl::EndsWith(ToNpy(nibbles), "\x07\xf8\xff"));
  EXPECT_TRUE(absl::EndsWith(ToNpy(wide), std::string("\xff\xff\xff\xff\xff\x7f\0\0\0\0\0\0\0\x80\xff\xff", 16)));
  const auto error = [](const char* type, const std::string& element, ElementType of) {
    const std::string header = absl::StrCat("{'descr': '", type, "', 'fortran_order': False, 'shape': (1,), }\n");
    return std::string(TensorFromNpy(File(header, element), of).status().message());
  };
  EXPECT_EQ(error("|i1", "\x07", ElementType::kI4), "");
  EXPECT_EQ(error("|i1", "\xf8", ElementType::kI4), "");
  EXPECT_EQ(error("|i1", "\x08", ElementType::kI4), "its element 0 is 0x8, which is no value of i4");
  EXPECT_EQ(error("|i1", "\xf7", ElementType::kI4), "its element 0 is 0xf7, which is no value of i4");
  EXPECT_EQ(error("<i8", std::string("\0\0\0\0\0\x80\0\0", 8), ElementType::kI48),
            "its element 0 is 0x800000000000, which is no value of i48");
  EXPECT_EQ(error("|b1", "\x02", ElementType::kI1), "its element 0 is 0x2, which is no value of i1");
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const absl::StatusOr<Tensor> read =
      TensorFromNpy(File(Float32("False", "(2,)"), std::string("\0\0\x80\x3f\0\0\0\xc0", 8)), ElementType::kF32);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(DataToHex(*read), "3f800000 c0000000");
  EXPECT_TRUE(TensorFromNpy(File(Float32("True", "(1,)"), std::string(4, '\0')), ElementType::kF32).ok());
}

TEST(Npy, SaysWhatIsWrongWithAFile) {
  const std::string good = File(Float32("False", "(1,)"), std::string(4, '\0'));
  const auto error = [](const std::string& bytes, ElementType type = ElementType::kF32) {
    return std::string(TensorFromNpy(bytes, type).status().message());
  };
  EXPECT_EQ(error(good), "");
  EXPECT_EQ(error("PK"), "it is no .npy file");
  EXPECT_EQ(error(good.substr(0, 9)), "it ends within its header");
  EXPECT_EQ(error(good.substr(0, 30)), "it ends within its header");
  EXPECT_EQ(error(good, ElementType::kI32), "its elements are '<f4', and i32 is '<i4'");
  EXPECT_TRUE(absl::StrContains(error(good + "x"), "it has 5 bytes"));
  EXPECT_TRUE(absl::StrContains(error(File(Float32("False", "(4611686018427387904, 8)"), "")), "it has 0 bytes"));
  EXPECT_EQ(error(File(Float32("True", "(1, 1)"), std::string(4, '\0'))),
            "its elements lie in Fortran's order, column by column");
  EXPECT_EQ(error(File(Float32("False", "(-1,)"), "")), "its header has a dimension '-1'");
  for (const char version : {'\0', '\4', '\t'}) {
    std::string other = good;
    other[6] = version;
    EXPECT_EQ(error(other), absl::StrCat("it has version ", static_cast<int>(version), " of the format, not 1 to 3"));
  }
  EXPECT_EQ(error(File("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (2,)}", std::string(4, '\0'))),
            "its header has the key 'shape' twice");
  EXPECT_EQ(error(File("{}", "")), "its elements are '', and f32 is '<f4'");
}

}  // namespace
}  // namespace tosaic
