// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled program runs alike as LLVM IR and as an object file, made here as a process that links another LLVM would.
#include "toolchain/execution/code_runner.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "toolchain/execution/ir_testing.h"
#include "toolchain/program_testing.h"
#include "workers/progress.h"

namespace tosaic {
namespace {

// A function of one i32 vector that returns one. What its op is does not matter here.
Case SomeCase(size_t runs = 3) {
  const TensorType vector = {Dynamic(1), ElementType::kI32};
  Case test_case;
  test_case.program.arguments = {vector};
  test_case.program.ops = {
      {.op = OpKind::kAbs, .operands = {{ValueRef::Kind::kArgument, 0}}, .attributes = {}, .result = vector}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  for (size_t i = 0; i < runs; ++i) test_case.runs.push_back({TensorOf(ElementType::kI32, {2}, {5, 6})});
  return test_case;
}

// Copies the operand into a new buffer of 8 bytes, and writes `stored` elements of it.
std::string Copy(int stored, absl::string_view entry = kEntry) {
  std::string ir = absl::StrCat("define void @", entry, "(ptr %result, ptr %operand) {\n", R"(
    %in = call ptr @data(ptr %operand)
    %out = call ptr @malloc(i64 8)
)");
  for (int i = 0; i < stored; ++i) {
    absl::StrAppend(&ir, "%v", i, " = call i32 @load(ptr %in, i64 ", i, ")\n", "call void @store(ptr %out, i64 ", i,
                    ", i32 %v", i, ")\n");
  }
  return absl::StrCat(ir, "call void @describe(ptr %result, ptr %out, i64 0, i64 2, i64 1)\nret void\n}\n");
}

class CodeRunnerTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { runner_ = new CodeRunner(); }
  void TearDown() override { (void)TakeRetirement(); }  // asked for by what faults here

  static Jit& TheJit() { return **runner_->JitFor(CodeGeneration()); }

  static CompiledProgram Ir(const std::string& text) {
    CompiledProgram program;
    program.code = Owned(ParseIr(TheJit(), text));
    return program;
  }

  static CompiledProgram Object(const std::string& text) {
    const std::unique_ptr<llvm::Module> module = ParseIr(TheJit(), text);
    llvm::orc::JITTargetMachineBuilder builder(module->getTargetTriple());
    builder.setRelocationModel(llvm::Reloc::PIC_);
    const std::unique_ptr<llvm::TargetMachine> machine = llvm::cantFail(builder.createTargetMachine());
    const auto object = llvm::cantFail(llvm::orc::SimpleCompiler(*machine)(*module));
    CompiledProgram program;
    program.code = ObjectFile{object->getBuffer().str()};
    return program;
  }

  static Observation Run(CompiledProgram program, const Case& test_case = SomeCase()) {
    Observation observation;
    runner_->Run(std::move(program), test_case, &observation);
    return observation;
  }

  static CodeRunner* runner_;
};

CodeRunner* CodeRunnerTest::runner_ = nullptr;

TEST_F(CodeRunnerTest, AnObjectFileRunsAsItsIrDoes) {
  for (const int stored : {2, 1, 0, 3}) {  // the last one writes behind its buffer
    const Observation of_ir = Run(Ir(Copy(stored)));
    CompiledProgram object = Object(Copy(stored));
    object.ir = absl::StrCat(kIrPrelude, Copy(stored));
    EXPECT_EQ(Run(std::move(object)), of_ir) << stored;
    EXPECT_EQ(of_ir.outcome, stored == 3 ? Outcome::kMemoryFault : Outcome::kCompleted) << stored;
    if (stored == 3) continue;
    ASSERT_EQ(of_ir.runs.size(), 3u);
    EXPECT_EQ(of_ir.runs[0].results[0].unwritten.size(), 2u - static_cast<size_t>(stored));
    EXPECT_EQ(of_ir.runs[0].results[0].tensor.Bits(0), stored > 0 ? 5u : of_ir.runs[0].results[0].tensor.Bits(0));
  }
}

// Poison is looked for in the IR that an object file was made of; without that IR, a note says that nobody looked.
TEST_F(CodeRunnerTest, PoisonOfAnObjectFileIsLookedForInItsIr) {
  const std::string shifts = absl::StrReplaceAll(
      Copy(2), {{"i32 %v1)", "i32 %s)"},
                {"call void @store(ptr %out, i64 1", "%s = shl i32 %v1, 32\ncall void @store(ptr %out, i64 1"}});
  const auto run = [&](const std::string& ir) {
    CompiledProgram object = Object(shifts);
    object.ir = ir;
    return Run(std::move(object));
  };
  const Observation seen = run(absl::StrCat(kIrPrelude, shifts));
  ASSERT_EQ(seen.runs.size(), 3u);
  EXPECT_EQ(seen.runs[2].results[0].poisoned, std::vector<uint64_t>{1});
  EXPECT_TRUE(seen.poison_unseen.empty());
  const Observation newer = run(absl::StrCat(kIrPrelude, "@infinity = constant float +inf\n", shifts));
  EXPECT_EQ(newer.runs[2].results[0].poisoned, std::vector<uint64_t>{1}) << "LLVM 24's spelling is read";
  EXPECT_TRUE(newer.poison_unseen.empty());
  const Observation without = run(""), unread = run("define new");
  EXPECT_TRUE(without.runs[2].results[0].poisoned.empty());
  EXPECT_EQ(without.poison_unseen, std::vector<std::string>{"code without LLVM IR"});
  ASSERT_EQ(unread.poison_unseen.size(), 1u);
  EXPECT_TRUE(absl::StrContains(unread.poison_unseen[0], "does not read"));
}

TEST_F(CodeRunnerTest, TheProgramNamesItsEntry) {
  for (const auto make : {Ir, Object}) {
    CompiledProgram program = make(Copy(2, "entry_of_another"));
    program.entry = "entry_of_another";
    EXPECT_EQ(Run(std::move(program)).outcome, Outcome::kCompleted);
    const Observation observation = Run(make(Copy(2, "entry_of_another")));
    EXPECT_EQ(observation.outcome, Outcome::kRefused);
    EXPECT_EQ(observation.stage, Stage::kCompile);
    EXPECT_TRUE(absl::StrContains(observation.diagnostics.front(), kEntry)) << observation.diagnostics.front();
  }
}

TEST_F(CodeRunnerTest, AnObjectFileMayCallNoMoreOfTheHostThanIrMay) {
  const Observation observation =
      Run(Object("declare i32 @getpid()\n"
                 "define void @_mlir_ciface_main(ptr %r) { %p = call i32 @getpid() ret void }"));
  EXPECT_EQ(observation.outcome, Outcome::kRefused);
  EXPECT_EQ(observation.stage, Stage::kCompile);
  EXPECT_TRUE(absl::StrContains(observation.diagnostics.front(), "getpid")) << observation.diagnostics.front();
}

TEST_F(CodeRunnerTest, WhatIsNoObjectFileIsRefused) {
  CompiledProgram whole = Object(Copy(2));
  const std::string bytes = std::get<ObjectFile>(whole.code).bytes;
  for (const std::string& broken : {std::string(),
                                    std::string("\x7f"
                                                "ELF"),
                                    bytes.substr(0, bytes.size() / 2)}) {
    CompiledProgram program;
    program.code = ObjectFile{broken};
    const Observation observation = Run(std::move(program));
    EXPECT_EQ(observation.outcome, Outcome::kRefused) << broken.size();
    EXPECT_EQ(observation.stage, Stage::kCompile);
    EXPECT_FALSE(observation.diagnostics.empty());
  }
  EXPECT_EQ(Run(std::move(whole)).outcome, Outcome::kCompleted);
}

TEST_F(CodeRunnerTest, WhatIsAddedToIrCannotBeAddedToAnObjectFile) {
  for (const bool counts_stores : {false, true}) {
    CompiledProgram program = Object(Copy(2));
    program.options.counts_stores = counts_stores;
    program.calls_library = !counts_stores;
    const Observation observation = Run(std::move(program));
    EXPECT_EQ(observation.outcome, Outcome::kToolFailure);
    EXPECT_EQ(observation.stage, Stage::kTranslate);
  }
}

TEST_F(CodeRunnerTest, LeaksAreCountedWhereTheCodeOwnsWhatItAllocates) {
  for (const auto make : {Ir, Object}) {
    CompiledProgram program = make(absl::StrReplaceAll(Copy(2), {{"ret void", "call ptr @malloc(i64 8)\nret void"}}));
    program.options.count_leaks = true;
    const Observation observation = Run(std::move(program));
    ASSERT_EQ(observation.runs.size(), 3u);
    EXPECT_EQ(observation.runs[0].leaked_buffers, 1);
  }
}

TEST(ProgramOn, SaysWhatTheRouteDoes) {
  for (const Route& route : AllRoutes()) {
    const CompiledProgram program = ProgramOn(route);
    EXPECT_EQ(program.entry, kEntry);
    EXPECT_EQ(program.generation.optimized, route.optimized) << route.name;
    EXPECT_EQ(program.generation.host_cpu, route.host_cpu) << route.name;
    EXPECT_EQ(program.options.count_leaks, route.deallocates) << route.name;
    EXPECT_EQ(program.options.alignment, route.alignment) << route.name;
    EXPECT_EQ(program.options.counts_stores, route.counts_stores) << route.name;
    EXPECT_EQ(program.verifies_extents, route.verifies) << route.name;
    EXPECT_EQ(program.calls_library, route.calls_library) << route.name;
  }
}

}  // namespace
}  // namespace tosaic
