// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/block_finder.h"

#include <cstring>
#include <optional>
#include <set>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

namespace tosaic {
namespace {

struct Instruction {
  uint64_t address = 0;
  uint64_t size = 0;
  bool ends_block = false;
  bool is_padding = false;  // does nothing: alignment, a mark for indirect jumps
  bool is_trap = false;
  bool jumps_by_register = false;
  std::optional<uint64_t> jump, call, data;  // targets, as far as the instruction names them
};
using Instructions = std::vector<Instruction>;

class MachineCode : public BlockFinder {
 public:
  explicit MachineCode(const LibraryImage& image) : image_(image) {}

  absl::Status Start();
  absl::StatusOr<std::vector<CodeBlock>> BlocksOf(const LibraryFunction& function) const override;
  absl::StatusOr<FunctionCode> CodeOf(const LibraryFunction& function) const override;

 private:
  absl::StatusOr<Instructions> Disassemble(const LibraryFunction& function) const;
  // Calls `take` with each instruction, as decoded and in LLVM's form.
  template <typename Take>
  absl::Status ForEachInstruction(const LibraryFunction& function, Take take) const;
  std::optional<Instruction> Decode(uint64_t address, absl::Span<const uint8_t> bytes, llvm::MCInst* inst) const;
  std::optional<double> ComparedBy(const llvm::MCInst& inst, const Instruction& decoded) const;
  size_t DigestOf(const llvm::MCInst& inst, const Instruction& decoded) const;
  void AddTable(const LibraryFunction& function, const Instructions& code, uint64_t table,
                std::set<uint64_t>* leaders) const;

  const LibraryImage& image_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> assembly_;
  std::unique_ptr<llvm::MCSubtargetInfo> machine_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  llvm::MCRegister program_counter_;
};

absl::Status MachineCode::Start() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetDisassembler();
  const llvm::Triple triple("x86_64-unknown-linux-gnu");
#if LLVM_VERSION_MAJOR >= 22
  const llvm::Triple& name = triple;
#else
  const std::string& name = triple.str();
#endif
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(name, problem);
  if (target == nullptr) return absl::FailedPreconditionError(problem);
  registers_.reset(target->createMCRegInfo(name));
  assembly_.reset(target->createMCAsmInfo(*registers_, name, {}));
  machine_.reset(target->createMCSubtargetInfo(name, "", ""));
  instructions_.reset(target->createMCInstrInfo());
  analysis_.reset(target->createMCInstrAnalysis(instructions_.get()));
  context_ = std::make_unique<llvm::MCContext>(triple, assembly_.get(), registers_.get(), machine_.get());
  disassembler_.reset(target->createMCDisassembler(*machine_, *context_));
  program_counter_ = registers_->getProgramCounter();
  if (disassembler_ != nullptr && analysis_ != nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError("this LLVM has no disassembler for x86-64");
}

bool IsPadding(llvm::StringRef name, absl::Span<const uint8_t> bytes) {
  constexpr uint8_t kExchangeWithItself[] = {0x66, 0x90};  // of two bytes, which is no NOOP to LLVM
  return name.starts_with("NOOP") || name == "ENDBR64" || absl::c_equal(bytes, kExchangeWithItself);
}

std::optional<Instruction> MachineCode::Decode(uint64_t address, absl::Span<const uint8_t> bytes,
                                               llvm::MCInst* into) const {
  llvm::MCInst& inst = *into;
  inst.clear();
  Instruction decoded{.address = address};
  if (disassembler_->getInstruction(inst, decoded.size, {bytes.data(), bytes.size()}, address, llvm::nulls()) !=
      llvm::MCDisassembler::Success) {
    return std::nullopt;
  }
  const llvm::StringRef name = instructions_->getName(inst.getOpcode());
  // Taken as an instruction of its own, but a breakpoint behind it would be another one with that prefix.
  if (name.ends_with("_PREFIX")) {
    std::optional<Instruction> prefixed = Decode(address + decoded.size, bytes.subspan(decoded.size), into);
    if (!prefixed) return std::nullopt;
    prefixed->address = address;
    prefixed->size += decoded.size;
    return prefixed;
  }
  decoded.is_padding = IsPadding(name, bytes.first(decoded.size));
  decoded.is_trap = name == "TRAP" || name == "INT3";
  decoded.ends_block = analysis_->isTerminator(inst) || decoded.is_trap;
  decoded.jumps_by_register = analysis_->isIndirectBranch(inst);
  if (uint64_t target = 0; analysis_->evaluateBranch(inst, address, decoded.size, target)) {
    (analysis_->isCall(inst) ? decoded.call : decoded.jump) = target;
  }
  decoded.data = analysis_->evaluateMemoryOperandAddress(inst, machine_.get(), address, decoded.size);
  return decoded;
}

// An integer in the instruction, or a float in constant data.
std::optional<double> MachineCode::ComparedBy(const llvm::MCInst& inst, const Instruction& decoded) const {
  const llvm::StringRef name = instructions_->getName(inst.getOpcode());
  if (name.starts_with("CMP") && inst.getNumOperands() > 0) {
    const llvm::MCOperand& last = *(inst.end() - 1);
    return last.isImm() ? std::optional<double>(last.getImm()) : std::nullopt;
  }
  if (!decoded.data || !name.contains("COMIS")) return std::nullopt;
  const auto read = [&]<typename Float>(Float value) -> std::optional<double> {
    const absl::Span<const uint8_t> bytes = image_.Constant(*decoded.data, sizeof(value));
    if (bytes.empty()) return std::nullopt;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  };
  return name.contains("COMISD") ? read(double()) : read(float());
}

size_t MachineCode::DigestOf(const llvm::MCInst& inst, const Instruction& decoded) const {
  size_t digest = inst.getOpcode();
  if (decoded.jump || decoded.call) return digest;
  unsigned distance = inst.getNumOperands();  // the operand that is an address as the distance from here; or none
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    const llvm::MCOperand& operand = inst.getOperand(i);
    // Scale and index come between the base and the distance.
    if (operand.isReg() && operand.getReg() == program_counter_) distance = i + 3;
    if (i == distance) continue;
    digest = absl::HashOf(digest, operand.isReg()   ? llvm::MCRegister(operand.getReg()).id()
                                  : operand.isImm() ? operand.getImm()
                                                    : 0);
  }
  return digest;
}

template <typename Take>
absl::Status MachineCode::ForEachInstruction(const LibraryFunction& function, Take take) const {
  const absl::Span<const uint8_t> bytes = image_.Constant(function.address, function.size);
  if (bytes.empty()) return absl::FailedPreconditionError("no code");
  llvm::MCInst inst;
  for (uint64_t at = 0; at < bytes.size();) {
    const std::optional<Instruction> decoded = Decode(function.address + at, bytes.subspan(at), &inst);
    if (!decoded) {
      return absl::FailedPreconditionError(absl::StrFormat("no instruction at 0x%x", function.address + at));
    }
    take(*decoded, inst);
    at += decoded->size;
  }
  return absl::OkStatus();
}

absl::StatusOr<FunctionCode> MachineCode::CodeOf(const LibraryFunction& function) const {
  FunctionCode result;
  const auto take = [&](const Instruction& instruction, const llvm::MCInst& inst) {
    if (instruction.is_padding) return;
    const std::optional<double> compared = ComparedBy(inst, instruction);
    result.digest = absl::HashOf(result.digest, DigestOf(inst, instruction), compared);
    if (compared) result.compared.push_back(*compared);
    if (instruction.call) result.calls.push_back(*instruction.call);
    if (instruction.data) result.data.push_back(*instruction.data);
  };
  if (absl::Status status = ForEachInstruction(function, take); !status.ok()) return status;
  return result;
}

absl::StatusOr<Instructions> MachineCode::Disassemble(const LibraryFunction& function) const {
  Instructions code;
  const auto take = [&](const Instruction& instruction, const llvm::MCInst&) { code.push_back(instruction); };
  if (absl::Status status = ForEachInstruction(function, take); !status.ok()) return status;
  return code;
}

// Whether an instruction begins there.
bool Begins(const Instructions& code, uint64_t address) {
  const auto at = absl::c_lower_bound(
      code, address, [](const Instruction& instruction, uint64_t wanted) { return instruction.address < wanted; });
  return at != code.end() && at->address == address;
}

bool Contains(const LibraryFunction& function, uint64_t address) {
  return address >= function.address && address < function.end();
}

// A switch's table: distances from itself to where the switch jumps. How long it is, nothing says: as long as they are
// such. One entry too many only divides a block.
void MachineCode::AddTable(const LibraryFunction& function, const Instructions& code, uint64_t table,
                           std::set<uint64_t>* leaders) const {
  int32_t distance = 0;
  for (uint64_t at = table;; at += sizeof(distance)) {
    const absl::Span<const uint8_t> entry = image_.Constant(at, sizeof(distance));
    if (entry.empty()) return;
    std::memcpy(&distance, entry.data(), sizeof(distance));
    const uint64_t target = table + static_cast<uint64_t>(int64_t{distance});
    if (!Contains(function, target) || !Begins(code, target)) return;
    leaders->insert(target);
  }
}

// The blocks that begin at the leaders; padding at a block's beginning is left out, for nobody may come by it.
std::vector<CodeBlock> Divide(const Instructions& code, const std::set<uint64_t>& leaders) {
  std::vector<CodeBlock> blocks;
  bool waits = false;  // for the first instruction that does something
  bool counts = false;
  for (const Instruction& instruction : code) {
    if (leaders.contains(instruction.address)) {
      waits = true;
      counts = false;
    }
    if (waits && !instruction.is_padding) {
      waits = false;
      counts = !instruction.is_trap;
      if (counts) blocks.push_back({.address = instruction.address, .calls = {}});
    }
    if (counts && instruction.call) blocks.back().calls.push_back(*instruction.call);
  }
  return blocks;
}

absl::StatusOr<std::vector<CodeBlock>> MachineCode::BlocksOf(const LibraryFunction& function) const {
  absl::StatusOr<Instructions> code = Disassemble(function);
  if (!code.ok()) return code.status();
  std::set<uint64_t> leaders = {function.address};
  const bool has_switch =
      absl::c_any_of(*code, [](const Instruction& instruction) { return instruction.jumps_by_register; });
  for (const Instruction& instruction : *code) {
    if (has_switch && instruction.data && !instruction.ends_block)
      AddTable(function, *code, *instruction.data, &leaders);
    if (!instruction.ends_block) continue;
    leaders.insert(instruction.address + instruction.size);
    if (!instruction.jump || !Contains(function, *instruction.jump)) continue;
    if (!Begins(*code, *instruction.jump)) {
      return absl::FailedPreconditionError(
          absl::StrFormat("a jump into the instruction before 0x%x", *instruction.jump));
    }
    leaders.insert(*instruction.jump);
  }
  return Divide(*code, leaders);
}

}  // namespace

absl::StatusOr<std::unique_ptr<BlockFinder>> BlockFinder::Create(const LibraryImage& image) {
  auto code = std::make_unique<MachineCode>(image);
  if (absl::Status status = code->Start(); !status.ok()) return status;
  return code;
}

}  // namespace tosaic
