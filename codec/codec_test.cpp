// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codec/codec.h"

#include <limits>
#include <map>
#include <set>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

enum class Colour : uint8_t { kRed, kGreen };
static_assert(names_internal::EnumeratorCount<Colour>() == 2);
EnumNames NamesOf(Colour) {
  static constexpr absl::string_view kNames[] = {"red", "green"};
  return NamesFor<Colour>(kNames, "a colour");
}

struct Degrees {
  int value = 0;
  friend bool operator==(Degrees, Degrees) = default;
};
std::string ToString(Degrees degrees) { return absl::StrCat(degrees.value, " degrees"); }
absl::Status ReadText(absl::string_view text, Degrees& degrees) {
  const bool is_right = absl::SimpleAtoi(text.substr(0, text.find(' ')), &degrees.value);
  return is_right ? absl::OkStatus() : absl::InvalidArgumentError("no degrees");
}

struct Point {
  int x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};
// A list of fields may be a template as well.
template <typename V>
void Fields(V& v, Point& point) {
  v.Type("point");
  v.Strict();
  v("x", point.x);
  v.MayLack("y", point.y, "its height");
}

struct Everything {
  bool truth = false;
  uint32_t small = 0;
  int64_t large = 0;
  double number = 0, distance = 0;
  std::string text;
  Colour colour = Colour::kRed;
  Degrees degrees;
  std::optional<Point> point, absent, null;
  std::vector<Point> points;
  std::set<std::string> names;
  std::map<std::string, uint64_t> counts;
  std::map<Colour, int> colours;
  std::pair<std::string, int> pair;
  Json any;
  int omitted = 0;
  friend bool operator==(const Everything&, const Everything&) = default;
};
void Fields(Visitor& v, Everything& x) {
  v.Constant("version", 1);
  v("truth", x.truth);
  v("small", x.small);
  v("large", x.large);
  v("number", x.number);
  v("distance", OrInfinity{x.distance});
  v("text", x.text, "what it says");
  v("colour", x.colour);
  v("degrees", x.degrees);
  v.Optional("point", x.point);
  v.Optional("absent", x.absent);
  v("null", x.null);
  v("points", x.points);
  v("names", x.names);
  v("counts", x.counts);
  v("colours", x.colours);
  v("pair", x.pair);
  v("any", x.any);
  v.Optional("omitted", x.omitted);
  v.Derived("how_many", x.points.size());
  v.DerivedIf(x.truth, "indeed", true);
  v.Ignored("comment");
  if (v.IsReading() && x.points.size() > 2) v.Fail("too many", "points[2].x");
}

Everything Filled() {
  Everything x;
  x.truth = true;
  x.small = 7;
  x.large = -8;
  x.number = 1.5;
  x.distance = std::numeric_limits<double>::infinity();
  x.text = "a \"word\"";
  x.colour = Colour::kGreen;
  x.degrees = {90};
  x.point = Point{1, 2};
  x.points = {{3, 4}, {5, 6}};
  x.names = {"a", "b"};
  x.counts = {{"one", 1}, {"two", 2}};
  x.colours = {{Colour::kGreen, 3}};
  x.pair = {"left", 1};
  x.any = Json{{"key", {1, nullptr}}};
  return x;
}

TEST(Codec, WritesKeysInTheOrderOfTheFields) {
  EXPECT_EQ(ToLine(Filled()),
            R"({"version":1,"truth":true,"small":7,"large":-8,"number":1.5,"distance":null,"text":"a \"word\"",)"
            R"("colour":"green","degrees":"90 degrees","point":{"x":1,"y":2},"null":null,)"
            R"("points":[{"x":3,"y":4},{"x":5,"y":6}],"names":["a","b"],"counts":{"one":1,"two":2},)"
            R"("colours":{"green":3},"pair":["left",1],"any":{"key":[1,null]},"how_many":2,"indeed":true})");
}

TEST(Codec, ReadsWhatItWrites) {
  EXPECT_EQ(FromText<Everything>(ToLine(Filled())).value(), Filled());
  EXPECT_EQ(FromText<Everything>(ToLine(Everything())).value(), Everything());
}

TEST(Codec, SaysWhereAndWhatIsWrong) {
  const auto error = [](const char* pointer, const Json& value) {
    Json json = ToJson(Filled());
    json[Json::json_pointer(pointer)] = value;
    return std::string(FromJson<Everything>(json).status().message());
  };
  EXPECT_EQ(error("/comment", "read by others"), "");
  EXPECT_EQ(error("/version", 2), "version: only 1 is possible here");
  EXPECT_EQ(error("/truth", 1), "truth: true or false is needed here");
  EXPECT_EQ(error("/small", -1), "small: an integer of at least 0 is needed here");
  EXPECT_EQ(error("/small", int64_t{1} << 40), "small: the number is too large");
  EXPECT_EQ(error("/large", 1.5), "large: an integer is needed here");
  EXPECT_EQ(error("/number", nullptr), "number: a number is needed here");
  EXPECT_EQ(error("/text", 1), "text: a string is needed here");
  EXPECT_EQ(error("/colour", "blue"), "colour: \"blue\" is not a colour");
  EXPECT_EQ(error("/degrees", "none"), "degrees: no degrees");
  EXPECT_EQ(error("/point", nullptr), "point: an object is needed here");
  EXPECT_EQ(error("/points", 1), "points: an array is needed here");
  EXPECT_EQ(error("/points/1/x", "1"), "points[1].x: an integer is needed here");
  EXPECT_EQ(error("/points/1", Json::object()), "points[1]: the key \"x\" is missing");
  EXPECT_EQ(error("/points/1/z", 1), "points[1]: the key \"z\" is none of x, y");
  EXPECT_EQ(error("/points/2", Json{{"x", 1}}), "points[2].x: too many");
  EXPECT_EQ(error("/counts/two", -2), "counts.two: an integer of at least 0 is needed here");
  EXPECT_EQ(error("/colours/blue", -2), "") << "names that are not known are passed over";
  EXPECT_EQ(error("/pair/2", 1), "pair: a pair is needed here");
  EXPECT_EQ(FromText<Everything>("1").status().message(), "case: an object is needed here");
  EXPECT_EQ(FromText<Everything>("[").status().message(), "not a JSON document: it is cut short");
  EXPECT_EQ(FromText<Everything>(" \n").status().message(), "not a JSON document: it is empty");
  EXPECT_EQ(FromText<Everything>("hello").status().message(), "not a JSON document");
}

TEST(ParseJson, IsWhatTheLibraryReads) {
  for (const char* text :
       {"null", "true", "-3", "18446744073709551615", "-9223372036854775808", "1e3", "0.1", "1e400", "\"\\u00e9\\n\"",
        "[]", "{}", "[1,[2,[]],{}]", R"({"b":{"c":[{"d":1},{}],"":0},"a":[true,false,null],"":"x"})", "[1,]", "{\"a\"}",
        "[1 2]", "1 2"}) {
    const Json expected = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    const absl::StatusOr<Json> json = ParseJson(text);
    ASSERT_EQ(json.ok(), !expected.is_discarded()) << text;
    if (json.ok()) EXPECT_EQ(json->dump(), expected.dump()) << text;
  }
  EXPECT_EQ(ParseJson(R"({"a":[{"b":1,"c":2,"b":1}],"d":3})").status().message(),
            "the key \"b\" stands twice in an object");
}

// In time that goes with the square of the size this would take minutes.
TEST(Codec, LargeMapsAreRead) {
  std::map<std::string, uint64_t> large;
  for (uint64_t i = 0; i < 200'000; ++i) large[absl::StrCat("a name that is long enough for a kind ", i)] = i;
  const auto again = FromText<std::map<std::string, uint64_t>>(ToLine(large));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, large);
}

TEST(Codec, DescribesWhatItWrites) {
  const Json schema = Schema<Everything>();
  EXPECT_EQ(schema["required"],
            Json({"version", "truth", "small", "large", "number", "distance", "text", "colour", "degrees", "null",
                  "points", "names", "counts", "colours", "pair", "any", "how_many"}));
  const Json& of = schema["properties"];
  EXPECT_EQ(of["version"], Json::parse(R"({"const": 1})"));
  EXPECT_EQ(of["small"], Json::parse(R"({"type": "integer", "minimum": 0})"));
  EXPECT_EQ(of["distance"], Json::parse(R"({"type": ["number", "null"]})"));
  EXPECT_EQ(of["text"], Json::parse(R"({"type": "string", "description": "what it says"})"));
  EXPECT_EQ(of["colour"], Json::parse(R"({"enum": ["red", "green"]})"));
  EXPECT_EQ(of["point"], Json::parse(R"({"$ref": "#/$defs/point"})"));
  EXPECT_EQ(of["null"], Json::parse(R"({"anyOf": [{"$ref": "#/$defs/point"}, {"type": "null"}]})"));
  EXPECT_EQ(of["points"], Json::parse(R"({"type": "array", "items": {"$ref": "#/$defs/point"}})"));
  EXPECT_EQ(of["counts"],
            Json::parse(R"({"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}})"));
  EXPECT_EQ(of["colours"]["propertyNames"], Json::parse(R"({"enum": ["red", "green"]})"));
  EXPECT_EQ(of["pair"], Json::parse(R"({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]})"));
  EXPECT_EQ(of["any"], Json::object());
  EXPECT_EQ(schema["$defs"]["point"],
            Json::parse(R"({"type": "object", "required": ["x"], "additionalProperties": false, "properties": {
      "x": {"type": "integer"}, "y": {"type": "integer", "description": "its height"}}})"));
}

TEST(Names, AreFoundAndListed) {
  EXPECT_EQ(Name(Colour::kGreen), "green");
  EXPECT_EQ(Find<Colour>("green"), Colour::kGreen);
  EXPECT_EQ(Find<Colour>("blue"), std::nullopt);
  EXPECT_EQ(All<Colour>(), (std::vector<Colour>{Colour::kRed, Colour::kGreen}));
}

}  // namespace
}  // namespace tosaic
